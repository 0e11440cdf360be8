import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import { type JsonAnswer, type JsonText, jsonText } from '../../contract/answer.ts'
import type { Db } from '../../db/open.ts'
import { isoInstant } from '../../lib/dates.ts'
import { conflict } from '../../lib/errors.ts'
import { turns } from '../../lib/turns.ts'
import type { FlightService } from '../flights/service.ts'
import { concernsOthers, type Target, targetOf } from '../flights/target.ts'
import type { ChangeQuery } from './contract.ts'
import { decodePosition, encodePosition, type FeedPosition } from './cursor.ts'
import { type Change, changeStore } from './store.ts'

export type ChangeService = ReturnType<typeof changeService>

/** A page ends when it has this much; a single flight may have more. */
const PAGE_BYTES = 4 * 1024 * 1024
/** JSON that is made between yields. */
const BYTES_AT_ONCE = 2 * 1024 * 1024
/**
 * So many of the newest changes are kept for the next follower. One who reads a log from its beginning would drive out
 * what is read often, and each page would leave old memory to be collected.
 */
const MOST_KEPT = 1000
const END = Buffer.from('}')
const NULL = Buffer.from('null')

function jsonOfItem({ flightId, kind, at }: Change, flight: Buffer = NULL): readonly Buffer[] {
  const start = `{"flightId":${flightId},"kind":"${kind}","at":"${isoInstant(at)}","flight":`
  return [Buffer.from(start), flight, END]
}

export function changeService({ db, flights }: { db: Db; flights: Pick<FlightService, 'jsonOf'> }) {
  const changesAfter = changeStore(db)

  /** What follows a position, and the newest place there is. */
  function following(target: Target, given: FeedPosition | undefined, limit: number) {
    const { newest, seen, changes } = changesAfter({
      target,
      seen: given?.seen.seq ?? 0,
      savedAfter: given?.after ?? 0,
      // A new follower never had what was removed before.
      removedAfter: given ? Math.max(given.after, given.beganAt) : Number.MAX_SAFE_INTEGER,
      // One more than asked for tells whether anything follows.
      limit: limit + 1,
    })
    if (given && seen?.tag !== given.seen.tag) {
      throw conflict('This cursor is of another past: a backup was restored since. Start again without a cursor.')
    }
    const items = changes.sort((a, b) => a.seq - b.seq)
    return { items, newest, beganAt: given?.beganAt ?? newest.seq, more: items.length > limit }
  }

  const hasUser = (target: Target, userIds: readonly string[]) => target === 'all' || userIds.includes(target.userId)

  /** The items from here on with as many of their flights as are read at a time. */
  function sliceOf(items: readonly Change[], from: number, newest: number) {
    const slice = items.slice(from)
    const ids = slice.filter(({ kind }) => kind === 'saved').map(({ flightId }) => flightId)
    const keep = newest - slice[0]!.seq < MOST_KEPT
    const read = flights.jsonOf(ids, { keep, maxBytes: BYTES_AT_ONCE })
    const last = read.at(-1)?.id
    const end = last === undefined ? slice.length : slice.findLastIndex(({ flightId }) => flightId === last) + 1
    return { slice, records: new Map(read.map((flight) => [flight.id, flight])), end }
  }

  /** As many as fit into a page. A flight that somebody else took away since it was read comes later, as removed. */
  async function written(target: Target, items: readonly Change[], newest: number) {
    const data: JsonText[] = []
    let [bytes, done] = [0, 0]
    const turn = turns()
    while (done < items.length) {
      const { slice, records, end } = sliceOf(items, done, newest)
      for (const [index, item] of slice.entries()) {
        // What was not read begins the next slice, unless it is gone.
        if (index >= end && item.kind === 'saved') break
        const record = records.get(item.flightId)
        const isThere = item.kind === 'removed' || (record && hasUser(target, record.userIds))
        const flight = item.kind === 'saved' ? record?.json : undefined
        bytes += flight?.length ?? 0
        if (isThere && data.length > 0 && bytes > PAGE_BYTES) return { data, done }
        if (isThere) data.push(jsonText(jsonOfItem(item, flight)))
        done++
      }
      if (turn.isOver()) await turn.end()
    }
    return { data, done }
  }

  async function list(caller: Caller, query: ChangeQuery): Promise<JsonAnswer> {
    // A cursor is part of the query's form, which is judged before any scope (contract 1.4, step 5).
    const given = query.cursor === undefined ? undefined : decodePosition(query.cursor)
    authorize(caller, 'listFlightChanges', { otherUsers: concernsOthers(caller, query) })
    const target = targetOf(caller, query)
    const { items, newest, beganAt, more: beyond } = following(target, given, query.limit)
    const shown = items.slice(0, query.limit)
    const { data, done } = await written(target, shown, newest.seq)
    const more = beyond || done < shown.length
    const after = more ? shown[done - 1]!.seq : newest.seq
    const nextCursor = encodePosition({ after, beganAt, seen: newest })
    return { data, page: { nextCursor, more } }
  }

  return { list }
}
