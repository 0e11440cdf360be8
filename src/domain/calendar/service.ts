import { createHash } from 'node:crypto'
import { Readable, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { authorize } from '../../access/authorize.ts'
import { accountPermissions, type Caller, type CurrentCaller } from '../../access/caller.ts'
import { isPermission } from '../../access/permissions.ts'
import { dataCache } from '../../db/data-cache.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import { inChunks } from '../../lib/chunks.ts'
import type { Clock } from '../../lib/clock.ts'
import { notFound } from '../../lib/errors.ts'
import { keyedQueue } from '../../lib/keyed-queue.ts'
import { digest, newToken } from '../../lib/secret.ts'
import { yielder } from '../../lib/yield.ts'
import type { FlightService } from '../flights/service.ts'
import { idsInFlights } from '../reference/kinds.ts'
import type { ReferenceService } from '../reference/service.ts'
import { type EventFlight, flightEvent } from './flight-event.ts'
import { CALENDAR_END, calendarStart, eventText } from './icalendar.ts'
import { calendarStore } from './store.ts'

/** Of all calendars that are kept, compressed: one of 50,000 flights has some 3 MB. */
const MAX_CACHE_BYTES = 8 * 1024 * 1024
/** A larger calendar is not cached. */
const MAX_KEPT_BYTES = 4 * 1024 * 1024
const BYTES_OF_TAG = 256
/** Notes may be long, and passengers many. */
const FLIGHTS_PER_READ = 250
/** Calendars that are written at a time; others wait. */
const MAX_RUNNING = 2
/** The fastest level: a calendar may be written after every change. */
const COMPRESSION = { level: 1, chunkSize: 64 * 1024 }

export type CalendarService = ReturnType<typeof calendarService>

/** A calendar that somebody may read who has its secret. */
export interface Calendar {
  userId: string
  displayName: string
  withNotes: boolean
}

/** A complete calendar; without its bytes if they are too large to cache. */
interface Written {
  tag: string
  gzip: Buffer | undefined
}

interface Dependencies {
  db: Db
  clock: Clock
  baseUrl: string
  flights: FlightService
  reference: ReferenceService
  currentCaller: CurrentCaller
}

/** One for each user: an address with a secret, under which calendars subscribe to the flights (contract 16.8). */
export function calendarService({ db, clock, baseUrl, flights, reference, currentCaller }: Dependencies) {
  const store = calendarStore(db)
  const runQueued = keyedQueue(MAX_RUNNING)
  const cache = dataCache<Written>(db, {
    part: 'everything',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: ({ gzip }) => BYTES_OF_TAG + (gzip?.length ?? 0),
  })

  const requireReader = (caller: Caller) => authorize(caller, 'getFlight', { notPassenger: false })

  function of(caller: Caller) {
    requireReader(caller)
    return store.ofUser(caller.userId)
  }

  /** The new address, told this once; the one before ends. */
  async function make(caller: Caller, withNotes: boolean): Promise<string> {
    const secret = newToken()
    await write(db, 'accounts', () => {
      requireReader(currentCaller(caller))
      store.save({ userId: caller.userId, hash: digest(secret), withNotes, createdAt: clock() })
    })
    return `${baseUrl}/calendar/${secret}.ics`
  }

  function setNotes(caller: Caller, withNotes: boolean): Promise<void> {
    return write(db, 'accounts', () => {
      requireReader(currentCaller(caller))
      if (!store.setNotes(caller.userId, withNotes)) throw notFound('calendar')
    })
  }

  /** Also for somebody whose role has ended it already. */
  const remove = ({ userId }: Caller): Promise<void> => write(db, 'accounts', () => void store.delete(userId))

  /** Whose secret it is, while that account may read its flights; otherwise nothing, whatever the cause. */
  function find(secret: string): Calendar | undefined {
    if (!/^[\w-]{43}$/.test(secret)) return undefined
    const found = store.findPublic(digest(secret))
    if (!found) return undefined
    const { isOwner, permissions, ...calendar } = found
    const held = accountPermissions(isOwner, (permissions ?? []).filter(isPermission))
    return held.has('flight.read.own') ? calendar : undefined
  }

  function eventFlights(ids: readonly number[], userId: string): EventFlight[] {
    const rows = store.flights(ids, userId)
    const { airport } = reference.records.batch(idsInFlights(rows))
    return rows.map(({ fromId, toId, seat, seatNumber, seatClass, ...flight }) => ({
      ...flight,
      from: airport(fromId)!,
      to: airport(toId)!,
      passengers: [{ user: { id: userId }, seat, seatNumber, seatClass } as EventFlight['passengers'][number]],
    }))
  }

  async function* pieces({ userId, displayName, withNotes }: Calendar): AsyncGenerator<string> {
    yield calendarStart(`Flights of ${displayName}`)
    const turn = yielder()
    for (const ids of inChunks(flights.log.ids({ userId }), FLIGHTS_PER_READ)) {
      let text = ''
      for (const flight of eventFlights(ids, userId)) {
        const event = flightEvent(flight, { userId, withNotes, baseUrl })
        if (event) text += eventText(event)
        if (turn.isOver()) await turn.end()
      }
      yield text
    }
  }

  /** Compressed off the main thread. Bytes beyond the cache limit are only counted. */
  async function writeWhole(calendar: Calendar): Promise<Written> {
    const hash = createHash('sha1')
    const chunks: Buffer[] = []
    let bytes = 0
    async function* hashed(): AsyncGenerator<string> {
      for await (const piece of pieces(calendar)) {
        hash.update(piece)
        yield piece
      }
      yield CALENDAR_END
    }
    const collect = new Writable({
      write(chunk: Buffer, _encoding, done) {
        bytes += chunk.length
        if (bytes <= MAX_KEPT_BYTES) chunks.push(chunk)
        else chunks.length = 0
        done()
      },
    })
    await pipeline(hashed, createGzip(COMPRESSION), collect)
    return {
      tag: `"${hash.digest('base64url')}"`,
      gzip: bytes <= MAX_KEPT_BYTES ? Buffer.concat(chunks) : undefined,
    }
  }

  /** The ETag and, if cached, the text. Most requests are answered with 304 from the tag alone. */
  const whole = (calendar: Calendar): Promise<Written> =>
    cache.load(JSON.stringify([calendar.userId, calendar.withNotes]), () =>
      runQueued(calendar.userId, () => writeWhole(calendar)),
    )

  /** The text with this tag. If it is not cached and a flight changes while it is written, the answer is cut off. */
  async function* text(calendar: Calendar, { tag, gzip }: Written): AsyncGenerator<Buffer | string> {
    if (gzip) {
      yield* Readable.from([gzip]).pipe(createGunzip({ chunkSize: COMPRESSION.chunkSize }))
      return
    }
    const hash = createHash('sha1')
    for await (const piece of pieces(calendar)) {
      hash.update(piece)
      yield piece
    }
    if (`"${hash.digest('base64url')}"` !== tag) throw new Error('The flights were changed while they were sent.')
    yield CALENDAR_END
  }

  return { of, make, setNotes, remove, find, whole, text }
}
