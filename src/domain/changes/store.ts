import type { Db } from '../../db/open.ts'
import { EVERYBODY } from '../flights/feed-entries.ts'
import type { Target } from '../flights/target.ts'

/** A place in the order of changes; the tag tells it from the same number in a copy that went its own way. */
export interface Place {
  seq: number
  tag: string
}

export interface Change {
  kind: 'saved' | 'removed'
  seq: number
  flightId: number
  /** Milliseconds. */
  at: number
}

interface Wanted {
  target: Target
  /** The place that a follower has seen. */
  seen: number
  savedAfter: number
  removedAfter: number
  limit: number
}

type Row = [kind: Change['kind'] | 'newest' | 'seen', seq: number, flightId: number, at: number, tag: string]

/** Before the first change. */
const START: Place = { seq: 0, tag: '' }

/** Walked by the index of user and position. */
const changesIn = (table: string, kind: Change['kind']) =>
  `select * from (
     select '${kind}', c.seq, c.flight_id, p.at, '' from ${table} c join change_positions p on p.seq = c.seq
     where c.user_id = @userId and c.seq > @${kind}After order by c.seq limit @limit
   ) ${kind}`

export function changeStore(db: Db) {
  // One statement, since all of it has to be one state of the data. The builder cannot prepare a union with limits.
  const changes = db.$client
    .prepare(
      `select * from (select 'newest' as kind, seq, 0 as flight_id, 0 as at, lower(hex(tag)) as tag
         from change_positions order by seq desc limit 1) newest
       union all select 'seen', seq, 0, 0, lower(hex(tag)) from change_positions where seq = @seen
       union all ${changesIn('flight_changes', 'saved')}
       union all ${changesIn('flight_removals', 'removed')}`,
    )
    .raw()

  /** What follows, at most so many changes of each kind; the newest place; and the seen one as it is here. */
  return function following({ target, ...wanted }: Wanted) {
    const userId = target === 'all' ? EVERYBODY : target.userId
    const found: { newest: Place; seen: Place | undefined; changes: Change[] } = {
      newest: START,
      seen: wanted.seen === START.seq ? START : undefined,
      changes: [],
    }
    for (const [kind, seq, flightId, at, tag] of changes.all({ ...wanted, userId }) as Row[]) {
      if (kind === 'newest' || kind === 'seen') found[kind] = { seq, tag }
      else found.changes.push({ kind, seq, flightId, at })
    }
    return found
  }
}
