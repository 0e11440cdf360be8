import { authorize, canUseScope } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import type { Db } from '../../db/open.ts'
import type { Clock } from '../../lib/clock.ts'
import { dayOf } from '../../lib/dates.ts'
import { Busy } from '../../lib/errors.ts'
import { keyedQueue } from '../../lib/keyed-queue.ts'
import { yielder } from '../../lib/yield.ts'
import { english } from '../../messages/english.ts'
import type { Airline } from '../reference/contract.ts'
import { plainFlightNumber, readingsOf, spellingsOf } from '../reference/flight-number.ts'
import type { FlightNumberService } from '../reference/flight-number-service.ts'
import type { ReferenceService } from '../reference/service.ts'
import type { TravelItem } from './contract.ts'
import { type DocumentFlight, isSamePassenger, MAX_ITEMS } from './document-flight.ts'
import { needsWorker, type ReadDocument, readDocument, type TravelDocument } from './readers/registry.ts'
import { flightResolver, type ResolvedFlight } from './resolve.ts'
import { documentStore, type StoredFlight } from './store.ts'
import { NOTHING_FOUND, unreadable } from './unreadable.ts'

export type DocumentService = ReturnType<typeof documentService>

/** Each may take seconds in a worker that all users share. */
const MAX_QUEUED_PER_USER = 10
const tooMany = () => new Busy(english.busy.documents)

interface Dependencies {
  db: Db
  clock: Clock
  reference: ReferenceService
  flightNumbers: FlightNumberService
  /** Without it every document is read inline. */
  readInWorker: ReadDocument | undefined
}

/** ICAO codes of airlines have three letters, IATA codes two characters. */
const isAirlineCode = (code: string) => code.length === 2 || /^[A-Z]{3}$/.test(code)

function allSpellings(flightNumber: string, airline: Airline | undefined): string[] {
  const plain = plainFlightNumber(flightNumber) ?? flightNumber
  const reading = readingsOf(plain).find(({ code }) => isAirlineCode(code))
  if (!reading) return [plain]
  const own = [airline?.iata?.replace('*', ''), airline?.icao].filter((code) => code != null)
  return [plain, ...spellingsOf(own.includes(reading.code) ? own : [reading.code], reading)]
}

function isSameFlight(stored: StoredFlight, { flight, airline }: ResolvedFlight): boolean {
  if (stored.date !== flight.date || stored.fromId !== flight.fromId || stored.toId !== flight.toId) return false
  if (stored.flightNumber === null || flight.flightNumber === undefined) {
    return stored.flightNumber === null && flight.flightNumber === undefined
  }
  const written = plainFlightNumber(stored.flightNumber) ?? stored.flightNumber
  return allSpellings(flight.flightNumber, airline).includes(written)
}

const isComplete = ({ flight: { date, fromId, toId } }: ResolvedFlight) =>
  date !== undefined && fromId !== undefined && toId !== undefined

function describesSame(one: ResolvedFlight, other: ResolvedFlight): boolean {
  if (!isComplete(one) || !isComplete(other)) return false
  const [a, b] = [one.flight, other.flight]
  const isSameNumber = a.flightNumber === undefined || b.flightNumber === undefined || a.flightNumber === b.flightNumber
  return (
    a.date === b.date &&
    a.fromId === b.fromId &&
    a.toId === b.toId &&
    isSameNumber &&
    isSamePassenger(one.source.passengerName, other.source.passengerName)
  )
}

function merged(one: ResolvedFlight, other: ResolvedFlight): ResolvedFlight {
  const passengers = [{ ...other.flight.passengers?.[0], ...one.flight.passengers?.[0] }]
  const hasPassenger = one.flight.passengers !== undefined || other.flight.passengers !== undefined
  const { passengerName, bookingReference } = one.source
  const { arrivalScheduled, ...flight } = { ...other.flight, ...one.flight }
  const { departureScheduled } = flight
  const isReversed =
    departureScheduled !== undefined && arrivalScheduled !== undefined && arrivalScheduled < departureScheduled
  return {
    ...one,
    unresolved: isReversed ? [...new Set([...one.unresolved, english.documents.arrivalFirst])] : one.unresolved,
    source: {
      ...one.source,
      passengerName: passengerName ?? other.source.passengerName,
      bookingReference: bookingReference ?? other.source.bookingReference,
    },
    flight: {
      ...flight,
      ...(arrivalScheduled !== undefined && !isReversed && { arrivalScheduled }),
      ...(hasPassenger && { passengers: passengers as NonNullable<ResolvedFlight['flight']['passengers']> }),
    },
  }
}

export function documentService({ db, clock, reference, flightNumbers, readInWorker }: Dependencies) {
  const store = documentStore(db)
  const runQueued = keyedQueue(Infinity, { maxQueued: MAX_QUEUED_PER_USER, fullError: tooMany })

  async function resolveAll(userId: string, found: readonly DocumentFlight[]): Promise<ResolvedFlight[]> {
    const resolve = flightResolver(reference, flightNumbers, userId)
    const turn = yielder()
    const items: ResolvedFlight[] = []
    for (const flight of found) {
      if (turn.isOver()) await turn.end()
      const resolved = resolve(flight)
      if (flight.isGuess && !isComplete(resolved)) continue
      // A mail often has the same flight in its text and in its attachments.
      const index = items.findIndex((item) => describesSame(item, resolved))
      if (index >= 0) items[index] = merged(items[index]!, resolved)
      else if (items.length < MAX_ITEMS) items.push(resolved)
    }
    return items
  }

  /** The caller cannot use the content afterwards: its memory may move to a worker. */
  async function read(
    caller: Caller,
    { date = dayOf(clock()), ...document }: Omit<TravelDocument, 'date'> & { date?: string | undefined },
  ): Promise<TravelItem[]> {
    authorize(caller, 'readTravelDocument', {})
    const { userId } = caller
    const dated = { ...document, date }
    const found =
      readInWorker && needsWorker(dated)
        ? await runQueued(userId, () => readInWorker(dated))
        : await readDocument(dated)
    const items = await resolveAll(userId, found)
    if (items.length === 0) throw unreadable(NOTHING_FOUND)
    const days = [...new Set(items.flatMap(({ flight }) => flight.date ?? []))]
    const stored = canUseScope(caller, 'flight.read.own') && days.length > 0 ? store.flightsOn(userId, days) : []
    return items.map((item) => ({
      kind: item.source.kind,
      passengerName: item.source.passengerName,
      bookingReference: item.source.bookingReference,
      flight: item.flight,
      unresolved: item.unresolved,
      duplicateOf: stored.find((flight) => isSameFlight(flight, item))?.id ?? null,
    }))
  }

  return { read }
}
