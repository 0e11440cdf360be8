import { createHash, type Hash } from 'node:crypto'
import { authorize } from '../../access/authorize.ts'
import { accountPermissions, type Caller, type CurrentCaller } from '../../access/caller.ts'
import { dataCache } from '../../db/cache.ts'
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
import type { TripService } from '../trips/service.ts'
import { CALENDAR_END, calendarStart, type EventFlight, eventText, flightEvent } from './icalendar.ts'
import { calendarStore } from './store.ts'

const FLIGHTS_PER_READ = 250
/** A slow client would keep longer texts in memory. */
const MAX_TEXT_LENGTH = 1024 * 1024

export type CalendarService = ReturnType<typeof calendarService>

export interface Calendar {
  userId: string
  displayName: string
  withNotes: boolean
}

interface Written {
  tag: string
  text: string | undefined
}

interface Dependencies {
  db: Db
  clock: Clock
  baseUrl: string
  flights: FlightService
  reference: ReferenceService
  trips: TripService
  currentCaller: CurrentCaller
}

/** One calendar link per user, with a secret (contract 16.8). */
export function calendarService({ db, clock, baseUrl, flights, reference, trips, currentCaller }: Dependencies) {
  const store = calendarStore(db)
  const runQueued = keyedQueue(2)
  // Calendars poll, and most answers are 304.
  const tags = dataCache<string>(db, { part: 'everything', maxBytes: 256 * 1024, sizeOf: () => 256 })

  const requireReader = (caller: Caller) => authorize(caller, 'getFlight', { notPassenger: false })

  function of(caller: Caller) {
    requireReader(caller)
    return store.ofUser(caller.userId)
  }

  /** Returns the new link, which is shown once, and replaces the previous one. */
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

  /** Allowed even if the role has lost the right to read flights. */
  const remove = ({ userId }: Caller): Promise<void> => write(db, 'accounts', () => void store.delete(userId))

  function find(secret: string): Calendar | undefined {
    if (!/^[\w-]{43}$/.test(secret)) return undefined
    const found = store.findPublic(digest(secret))
    if (!found) return undefined
    const { isOwner, permissions, ...calendar } = found
    const held = accountPermissions(isOwner, permissions)
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
    const tripNames = trips.namesByFlight(userId)
    const turn = yielder()
    for (const ids of inChunks(flights.log.ids({ userId }), FLIGHTS_PER_READ)) {
      let text = ''
      for (const flight of eventFlights(ids, userId)) {
        const event = flightEvent(flight, { userId, withNotes, baseUrl, trips: tripNames })
        if (event) text += eventText(event)
        if (turn.isOver()) await turn.end()
      }
      yield text
    }
  }

  const tagOf = (hash: Hash) => `"${hash.digest('base64url')}"`

  async function writeWhole(calendar: Calendar): Promise<Written> {
    const hash = createHash('sha1')
    let text: string | undefined = ''
    for await (const piece of pieces(calendar)) {
      hash.update(piece)
      if (text !== undefined) text = text.length + piece.length <= MAX_TEXT_LENGTH ? text + piece : undefined
    }
    return { tag: tagOf(hash), text }
  }

  function whole(calendar: Calendar): Promise<Written> {
    const key = JSON.stringify([calendar.userId, calendar.withNotes])
    return runQueued(calendar.userId, async () => {
      const cached = tags.get(key)
      if (cached !== undefined) return { tag: cached, text: undefined }
      const version = tags.version()
      const written = await writeWhole(calendar)
      tags.set(key, written.tag, version)
      return written
    })
  }

  /** Aborts the answer if a flight changes meanwhile. */
  async function* text(calendar: Calendar, { tag, text }: Written): AsyncGenerator<string> {
    if (text !== undefined) {
      yield text + CALENDAR_END
      return
    }
    const hash = createHash('sha1')
    for await (const piece of pieces(calendar)) {
      hash.update(piece)
      yield piece
    }
    if (tagOf(hash) !== tag) throw new Error('The flights changed while they were sent.')
    yield CALENDAR_END
  }

  return { of, make, setNotes, remove, find, whole, text }
}
