import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { authorize } from '../../access/authorize.ts'
import { accountPermissions, type Caller } from '../../access/caller.ts'
import { isPermission } from '../../access/permissions.ts'
import { dataCache } from '../../db/data-cache.ts'
import type { Db } from '../../db/open.ts'
import { writing } from '../../db/writing.ts'
import type { Clock } from '../../lib/clock.ts'
import { notFound } from '../../lib/errors.ts'
import { digest, newToken } from '../../lib/secret.ts'
import type { FlightService } from '../flights/service.ts'
import { flightEvent } from './flight-event.ts'
import { CALENDAR_END, calendarStart, eventText } from './icalendar.ts'
import { calendarStore } from './store.ts'

const MAX_TAG_BYTES = 256 * 1024
const BYTES_OF_TAG = 256

export type CalendarService = ReturnType<typeof calendarService>

/** A calendar that somebody may read who has its secret. */
export interface Calendar {
  userId: string
  displayName: string
  withNotes: boolean
}

interface Dependencies {
  db: Db
  clock: Clock
  baseUrl: string
  flights: FlightService
}

/** One for each user: an address with a secret, under which calendars subscribe to the flights (contract 16.8). */
export function calendarService({ db, clock, baseUrl, flights }: Dependencies) {
  const store = calendarStore(db)
  const tags = dataCache<string>(db, { part: 'everything', maxBytes: MAX_TAG_BYTES, sizeOf: () => BYTES_OF_TAG })

  const requireReader = (caller: Caller) => authorize(caller, 'getFlight', { notPassenger: false })

  function of(caller: Caller) {
    requireReader(caller)
    return store.ofUser(caller.userId)
  }

  /** The new address, told this once; the one before ends. */
  function make(caller: Caller, withNotes: boolean): string {
    const secret = newToken()
    writing(db, () => {
      requireReader(caller)
      store.save({ userId: caller.userId, hash: digest(secret), withNotes, createdAt: clock() })
    })
    return `${baseUrl}/calendar/${secret}.ics`
  }

  function setNotes(caller: Caller, withNotes: boolean): void {
    writing(db, () => {
      requireReader(caller)
      if (!store.setNotes(caller.userId, withNotes)) throw notFound('calendar')
    })
  }

  /** Also for somebody whose role has ended it already. */
  const remove = ({ userId }: Caller): void => writing(db, () => void store.delete(userId))

  /** Whose secret it is, while that account may read its flights; otherwise nothing, whatever the cause. */
  function find(secret: string): Calendar | undefined {
    if (!/^[\w-]{43}$/.test(secret)) return undefined
    const found = store.findPublic(digest(secret))
    if (!found) return undefined
    const { isOwner, permissions, ...calendar } = found
    const held = accountPermissions(isOwner, (permissions ?? []).filter(isPermission))
    return held.has('flight.read.own') ? calendar : undefined
  }

  async function* write({ userId, displayName, withNotes }: Calendar): AsyncGenerator<string> {
    yield calendarStart(`Flights of ${displayName}`)
    for (const some of flights.log.batches(flights.log.ids({ userId }))) {
      const events = some.map((flight) => flightEvent(flight, { userId, withNotes, baseUrl }))
      yield events.map((event) => (event ? eventText(event) : '')).join('')
      await nextTurn()
    }
  }

  /** The tag of the whole text; most who ask find it unchanged, and nothing is written for them. */
  const tagOf = (calendar: Calendar): Promise<string> =>
    tags.load(JSON.stringify([calendar.userId, calendar.withNotes]), async () => {
      const hash = createHash('sha1')
      for await (const piece of write(calendar)) hash.update(piece)
      return `"${hash.digest('base64url')}"`
    })

  /** The text that has this tag. It breaks off before its end when somebody changed a flight on the way. */
  async function* text(calendar: Calendar, tag: string): AsyncGenerator<string> {
    const hash = createHash('sha1')
    for await (const piece of write(calendar)) {
      hash.update(piece)
      yield piece
    }
    if (`"${hash.digest('base64url')}"` !== tag) throw new Error('The flights were changed while they were sent.')
    yield CALENDAR_END
  }

  return { of, make, setNotes, remove, find, tagOf, text }
}
