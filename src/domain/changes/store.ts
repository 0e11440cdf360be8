import type { Db } from '../../db/open.ts'
import type { Target } from '../flights/query/target.ts'
import { ALL_USERS } from '../flights/store/feed-entries.ts'

/** A position in the feed; the tag distinguishes it from the same number in a restored database. */
export interface Position {
  seq: number
  tag: string
}

export interface Change {
  kind: 'saved' | 'removed'
  seq: number
  flightId: number
  at: number
}

interface FeedQuery {
  target: Target
  seen: number
  savedAfter: number
  removedAfter: number
  limit: number
}

type Row = [kind: Change['kind'] | 'newest' | 'seen', seq: number, flightId: number, at: number, tag: string]

const START: Position = { seq: 0, tag: '' }

const changesIn = (table: string, kind: Change['kind']) =>
  `select * from (
     select '${kind}', c.seq, c.flight_id, p.at, '' from ${table} c join change_positions p on p.seq = c.seq
     where c.user_id = @userId and c.seq > @${kind}After order by c.seq limit @limit
   ) ${kind}`

export function changeStore(db: Db) {
  // One statement for one snapshot. Drizzle cannot prepare a union with limits.
  const changes = db.$client
    .prepare(
      `select * from (select 'newest' as kind, seq, 0 as flight_id, 0 as at, lower(hex(tag)) as tag
         from change_positions order by seq desc limit 1) newest
       union all select 'seen', seq, 0, 0, lower(hex(tag)) from change_positions where seq = @seen
       union all ${changesIn('flight_changes', 'saved')}
       union all ${changesIn('flight_removals', 'removed')}`,
    )
    .raw()

  return function following({ target, ...query }: FeedQuery) {
    const userId = target === 'all' ? ALL_USERS : target.userId
    const found: { newest: Position; seen: Position | undefined; changes: Change[] } = {
      newest: START,
      seen: query.seen === START.seq ? START : undefined,
      changes: [],
    }
    for (const [kind, seq, flightId, at, tag] of changes.all({ ...query, userId }) as Row[]) {
      if (kind === 'newest' || kind === 'seen') found[kind] = { seq, tag }
      else found.changes.push({ kind, seq, flightId, at })
    }
    return found
  }
}
