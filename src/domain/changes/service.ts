import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import { type JsonAnswer, type JsonText, jsonText } from '../../contract/answer.ts'
import type { Db } from '../../db/open.ts'
import { isoInstant } from '../../lib/dates.ts'
import { AppError, conflict } from '../../lib/errors.ts'
import { yielder } from '../../lib/yield.ts'
import { english } from '../../messages/english.ts'
import { concernsOthers, type Target, targetOf } from '../flights/query/target.ts'
import type { FlightService } from '../flights/service.ts'
import type { ChangeQuery } from './contract.ts'
import { type Change, changeStore, type Position } from './store.ts'

export type ChangeService = ReturnType<typeof changeService>

/** A page ends beyond this size; a single flight may be larger. */
const PAGE_BYTES = 4 * 1024 * 1024
const BYTES_AT_ONCE = 2 * 1024 * 1024
/** Only flights of the newest changes are cached: reading a whole log would evict what is read often. */
const MAX_CACHED_CHANGES = 1000
const END = Buffer.from('}')
const NULL = Buffer.from('null')

interface FeedPosition {
  /** Changes up to here were sent. */
  after: number
  /** Removals up to here are of flights that the client never received. */
  beganAt: number
  /** The newest position when the page was read; it must still exist unchanged. */
  seen: Position
}

export function encodePosition({ after, beganAt, seen }: FeedPosition): string {
  return Buffer.from(`${after}.${beganAt}.${seen.seq}.${seen.tag}`).toString('base64url')
}

function decodePosition(cursor: string): FeedPosition {
  const text = cursor.length > 200 ? '' : Buffer.from(cursor, 'base64url').toString()
  const [, after, beganAt, seq, tag] = /^(\d{1,16})\.(\d{1,16})\.(\d{1,16})\.([0-9a-f]*)$/.exec(text) ?? []
  const position = { after: Number(after), beganAt: Number(beganAt), seen: { seq: Number(seq), tag: tag ?? '' } }
  const isOurs = tag !== undefined && encodePosition(position) === cursor
  if (!isOurs || position.after > position.seen.seq || position.beganAt > position.seen.seq) {
    throw new AppError('bad_request', english.filter.cursor)
  }
  return position
}

function toJson({ flightId, kind, at }: Change, flight: Buffer = NULL): readonly Buffer[] {
  const start = `{"flightId":${flightId},"kind":"${kind}","at":"${isoInstant(at)}","flight":`
  return [Buffer.from(start), flight, END]
}

export function changeService({ db, flights }: { db: Db; flights: Pick<FlightService, 'jsonOf'> }) {
  const changesAfter = changeStore(db)

  function findAfter(target: Target, position: FeedPosition | undefined, limit: number) {
    const { newest, seen, changes } = changesAfter({
      target,
      seen: position?.seen.seq ?? 0,
      savedAfter: position?.after ?? 0,
      // A new client never received what was removed before.
      removedAfter: position ? Math.max(position.after, position.beganAt) : Number.MAX_SAFE_INTEGER,
      // One more, to know whether anything follows.
      limit: limit + 1,
    })
    if (position && seen?.tag !== position.seen.tag) {
      throw conflict(
        'The cursor does not belong to this database: a backup was restored. Start again without a cursor.',
      )
    }
    const items = changes.sort((a, b) => a.seq - b.seq)
    return { items, newest, beganAt: position?.beganAt ?? newest.seq, more: items.length > limit }
  }

  const hasUser = (target: Target, userIds: readonly string[]) => target === 'all' || userIds.includes(target.userId)

  function readSlice(items: readonly Change[], from: number, newest: number) {
    const slice = items.slice(from)
    const ids = slice.filter(({ kind }) => kind === 'saved').map(({ flightId }) => flightId)
    const keep = newest - slice[0]!.seq < MAX_CACHED_CHANGES
    const read = flights.jsonOf(ids, { keep, maxBytes: BYTES_AT_ONCE })
    const last = read.at(-1)?.id
    const end = last === undefined ? slice.length : slice.findLastIndex(({ flightId }) => flightId === last) + 1
    return { slice, records: new Map(read.map((flight) => [flight.id, flight])), end }
  }

  /** As many as fit into a page. A flight that was removed meanwhile follows later as removed. */
  async function writePage(target: Target, items: readonly Change[], newest: number) {
    const data: JsonText[] = []
    let [bytes, done] = [0, 0]
    const turn = yielder()
    while (done < items.length) {
      const { slice, records, end } = readSlice(items, done, newest)
      for (const [index, item] of slice.entries()) {
        if (index >= end && item.kind === 'saved') break
        const record = records.get(item.flightId)
        const isVisible = item.kind === 'removed' || (record && hasUser(target, record.userIds))
        const flight = item.kind === 'saved' ? record?.json : undefined
        bytes += flight?.length ?? 0
        if (isVisible && data.length > 0 && bytes > PAGE_BYTES) return { data, done }
        if (isVisible) data.push(jsonText(toJson(item, flight)))
        done++
      }
      if (turn.isOver()) await turn.end()
    }
    return { data, done }
  }

  async function list(caller: Caller, query: ChangeQuery): Promise<JsonAnswer> {
    // The cursor is validated before any scope (contract 1.4, step 5).
    const position = query.cursor === undefined ? undefined : decodePosition(query.cursor)
    authorize(caller, 'listFlightChanges', { otherUsers: concernsOthers(caller, query) })
    const target = targetOf(caller, query)
    const { items, newest, beganAt, more: hasMore } = findAfter(target, position, query.limit)
    const shown = items.slice(0, query.limit)
    const { data, done } = await writePage(target, shown, newest.seq)
    const more = hasMore || done < shown.length
    const after = more ? shown[done - 1]!.seq : newest.seq
    const nextCursor = encodePosition({ after, beganAt, seen: newest })
    return { data, page: { nextCursor, more } }
  }

  return { list }
}
