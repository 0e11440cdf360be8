import { isDeepStrictEqual } from 'node:util'
import { authorize } from '../../../access/authorize.ts'
import type { Caller, CurrentCaller } from '../../../access/caller.ts'
import { type JsonText, jsonOf, jsonText } from '../../../contract/answer.ts'
import type { Precondition } from '../../../contract/operation.ts'
import { dataCache } from '../../../db/cache.ts'
import type { Db } from '../../../db/open.ts'
import { write } from '../../../db/write.ts'
import { inChunks } from '../../../lib/chunks.ts'
import type { Clock } from '../../../lib/clock.ts'
import { isoInstant } from '../../../lib/dates.ts'
import { preconditionFailed } from '../../../lib/errors.ts'
import { yielder } from '../../../lib/yield.ts'
import type { ActivityService } from '../../activity/service.ts'
import { flightJsonCache } from '../cache/json-cache.ts'
import { requireVisible } from '../query/visible.ts'
import { flightStore } from '../store/store.ts'
import type { TrackWrite } from './contract.ts'
import type { ReadTrackFile, TrackFile } from './files/read.ts'
import {
  type LinePoint,
  listsOf,
  mayHaveAltitudes,
  type PackedTrack,
  packLine,
  packTrack,
  unpackLine,
  unpackLists,
} from './packing.ts'
import { type TrackRow, trackStore } from './store.ts'

/** Two of the longest tracks. */
const MAX_CACHE_BYTES = 16 * 1024 * 1024
const ENTRY_BYTES = 512
/** A line has up to 100 kB, most have far less. */
const LINES_PER_READ = 500

type Line = [longitude: number, latitude: number][]

interface Answer {
  answer: JsonText | null
  bytes: number
}

export type TrackService = ReturnType<typeof trackService>

function record(
  { flightId, sourceFormat, sourceName, pointCount, createdAt, updatedAt }: TrackRow,
  lists: Buffer,
): JsonText {
  const rest = JSON.stringify({ sourceFormat, sourceName, pointCount, createdAt, updatedAt })
  const [start, end] = [`{"flightId":${flightId},`, `,${rest.slice(1)}`]
  return jsonText([Buffer.from(start), lists, Buffer.from(end)])
}

interface Dependencies {
  db: Db
  clock: Clock
  activity: ActivityService
  readFile: ReadTrackFile
  currentCaller: CurrentCaller
}

export function trackService({ db, clock, activity, readFile, currentCaller }: Dependencies) {
  const flights = flightStore(db)
  const store = trackStore(db)
  const cache = flightJsonCache(db)
  const writeTo = <Result>(id: number, work: () => Result): Promise<Result> =>
    write(db, 'flights', () => {
      cache.drop(id)
      return work()
    })

  /** Requests for the same track share its text, however slowly they read it. */
  const answers = dataCache<Answer>(db, { part: 'flights', maxBytes: MAX_CACHE_BYTES, sizeOf: ({ bytes }) => bytes })

  async function answerOf(id: number): Promise<Answer> {
    const row = store.find(id)
    if (!row) return { answer: null, bytes: ENTRY_BYTES }
    const lists = await unpackLists(row.points)
    return { answer: record(row, lists), bytes: ENTRY_BYTES + lists.length }
  }

  function decide(
    caller: Caller,
    id: number,
    operation: 'getFlightTrack' | 'putFlightTrack' | 'deleteFlightTrack',
  ): void {
    const action = operation === 'getFlightTrack' ? 'flight.read' : 'flight.update'
    const { aboard } = requireVisible(flights.find(id, caller.userId), caller, action)
    authorize(caller, operation, { notPassenger: !aboard })
  }

  /** A write of a track is a change of its flight. */
  function changed(caller: Caller, id: number, now: string): void {
    flights.touch(id, now)
    activity.record(caller, { kind: 'flight.changed', subject: id, concerns: flights.accountsAboard(id) })
  }

  async function get(caller: Caller, id: number): Promise<JsonText | null> {
    decide(caller, id, 'getFlightTrack')
    return (await answers.load(String(id), () => answerOf(id))).answer
  }

  /** Unpacking is asynchronous, so a precondition is checked before the transaction. Returns the check to run inside it. */
  async function checkPrecondition(id: number, unchanged: Precondition | undefined): Promise<() => void> {
    if (!unchanged) return () => undefined
    const row = store.find(id)
    unchanged(jsonOf(row ? record(row, await unpackLists(row.points)) : null) ?? 'null')
    return () => {
      if (!isDeepStrictEqual(store.find(id), row)) throw preconditionFailed()
    }
  }

  function save(
    caller: Caller,
    id: number,
    packed: PackedTrack,
    requireUnchanged = () => undefined as void,
  ): Promise<TrackRow> {
    return writeTo(id, () => {
      // The flight may have been deleted while the track was packed.
      decide(currentCaller(caller), id, 'putFlightTrack')
      requireUnchanged()
      const now = isoInstant(clock())
      store.save({ flightId: id, ...packed, now })
      changed(caller, id, now)
      return store.find(id)!
    })
  }

  async function put(caller: Caller, id: number, track: TrackWrite, unchanged?: Precondition): Promise<JsonText> {
    decide(caller, id, 'putFlightTrack')
    const requireUnchanged = await checkPrecondition(id, unchanged)
    const { packed, lists } = await packTrack(track)
    return record(await save(caller, id, packed, requireUnchanged), lists)
  }

  async function putFile(caller: Caller, id: number, file: TrackFile): Promise<void> {
    decide(caller, id, 'putFlightTrack')
    await save(caller, id, await readFile(file))
  }

  async function remove(caller: Caller, id: number, unchanged?: Precondition): Promise<void> {
    decide(caller, id, 'deleteFlightTrack')
    const requireUnchanged = await checkPrecondition(id, unchanged)
    await writeTo(id, () => {
      decide(currentCaller(caller), id, 'deleteFlightTrack')
      requireUnchanged()
      if (store.delete(id)) changed(caller, id, isoInstant(clock()))
    })
  }

  /** The body of a stored track, without authorization. */
  async function body(id: number): Promise<Record<string, unknown> | undefined> {
    const row = store.find(id)
    if (!row) return undefined
    const { coordinates, ...lists } = await listsOf(row.points)
    return { coordinates, sourceFormat: row.sourceFormat, sourceName: row.sourceName, ...lists }
  }

  const lineFrom = async (row: TrackRow): Promise<Buffer> =>
    packLine((await listsOf(row.points)).coordinates as number[][])

  /** The lines of some tracks. Tracks of early releases have no stored line. */
  async function* lines(ids: readonly number[], maxPoints: number): AsyncGenerator<{ id: number; line: Line }> {
    const turn = yielder()
    for (const some of inChunks(ids, LINES_PER_READ)) {
      const stored = store.lines(some)
      for (const id of some) {
        const row = stored.has(id) ? undefined : store.find(id)
        const bytes = stored.get(id) ?? (row && (await lineFrom(row)))
        if (bytes)
          yield { id, line: unpackLine(bytes, maxPoints).map(([longitude, latitude]) => [longitude, latitude]) }
        if (turn.isOver()) await turn.end()
      }
    }
  }

  /** The line of one track, with altitudes. */
  async function points(id: number, maxPoints: number): Promise<LinePoint[]> {
    const stored = store.lines([id]).get(id)
    if (stored && mayHaveAltitudes(stored)) return unpackLine(stored, maxPoints)
    const row = store.find(id)
    return row ? unpackLine(await lineFrom(row), maxPoints) : []
  }

  return { get, put, putFile, remove, body, lines, points }
}
