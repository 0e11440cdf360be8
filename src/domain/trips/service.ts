import { authorize } from '../../access/authorize.ts'
import type { Caller, CurrentCaller } from '../../access/caller.ts'
import type { Precondition } from '../../contract/operation.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { decodeCursor, encodeCursor, type Position } from '../../lib/cursor.ts'
import { isoInstant } from '../../lib/dates.ts'
import { AppError, conflict, type ErrorDetail, notFound } from '../../lib/errors.ts'
import { yielder } from '../../lib/yield.ts'
import { english } from '../../messages/english.ts'
import type { ActivityService } from '../activity/service.ts'
import type { Period } from '../flights/query/target.ts'
import { requireVisible } from '../flights/query/visible.ts'
import type { Airport } from '../reference/contract.ts'
import { idsInFlights } from '../reference/kinds.ts'
import type { ReferenceService } from '../reference/service.ts'
import { MAX_FLIGHTS, type Trip, type TripQuery, type TripSuggestion, type TripWrite } from './contract.ts'
import { inTravelOrder } from './order.ts'
import { type LegRow, type LooseRow, type TripRow, tripStore } from './store.ts'
import { journeyFinder } from './suggest.ts'

export type TripService = ReturnType<typeof tripService>

interface Dependencies {
  db: Db
  clock: Clock
  reference: ReferenceService
  activity: ActivityService
  toJson: (trip: Trip) => string
  currentCaller: CurrentCaller
}

export interface TripWithRoutes {
  trip: Trip
  /** Of each flight, in travel order. */
  routes: { from: Airport; to: Airport }[]
}

/** Flights that were moved to a trip, and the trips that they were in before. */
export interface Move {
  tripId: number
  name: string
  /** Whether the trip was created for them. */
  isNew: boolean
  former: readonly { flightId: number; tripId: number | null }[]
}

/** Flights that a list of trips reads between yields. */
const LEGS_PER_READ = 2_000
const MAX_DETAILS = 50

export function tripService({ db, clock, reference, activity, toJson, currentCaller }: Dependencies) {
  const store = tripStore(db)

  function withRoutes(rows: readonly TripRow[]): TripWithRoutes[] {
    const found = store.legs(rows.map(({ id }) => id))
    const { airport } = reference.records.batch(idsInFlights(found))
    const byTrip = Map.groupBy(found, ({ tripId }) => tripId)
    return rows.map(({ userId: _, createdAt, updatedAt, ...row }) => {
      const legs: LegRow[] = inTravelOrder(byTrip.get(row.id) ?? [])
      const metres = legs.reduce((sum, { distanceMeters }) => sum + (distanceMeters ?? 0), 0)
      const countries = legs.flatMap(({ fromId, toId }) => [airport(fromId)!.country, airport(toId)!.country])
      const trip = {
        ...row,
        flightIds: legs.map(({ id }) => id),
        flights: legs.length,
        dateFrom: legs[0]?.date ?? null,
        dateTo: legs.at(-1)?.date ?? null,
        distanceKm: Math.round(metres / 1000),
        countries: [...new Set(countries)].sort(),
        createdAt: isoInstant(createdAt),
        updatedAt: isoInstant(updatedAt),
      }
      return { trip, routes: legs.map(({ fromId, toId }) => ({ from: airport(fromId)!, to: airport(toId)! })) }
    })
  }

  const records = (rows: readonly TripRow[]): Trip[] => withRoutes(rows).map(({ trip }) => trip)

  function requireTrip(caller: Caller, id: number): TripRow {
    const [row] = store.find(caller.userId, [id])
    if (!row) throw notFound('trip')
    return row
  }

  const read = (caller: Caller, id: number): Trip => records([requireTrip(caller, id)])[0]!

  function get(caller: Caller, id: number): Trip {
    authorize(caller, 'getTrip', {})
    return read(caller, id)
  }

  async function listWithRoutes(caller: Caller, { limit, cursor }: TripQuery) {
    // The query is validated before scopes (contract 1.4, step 5).
    const after = cursor === undefined ? undefined : decodeCursor(cursor)
    authorize(caller, 'listTrips', {})
    const found = store.page(caller.userId, after, limit + 1)
    const shown = found.slice(0, limit)
    const rows = new Map(
      store
        .find(
          caller.userId,
          shown.map(({ id }) => id),
        )
        .map((row) => [row.id, row]),
    )
    const data: TripWithRoutes[] = []
    const turn = yielder()
    for (let from = 0; from < shown.length; ) {
      let [to, legs] = [from, 0]
      while (to < shown.length && (to === from || legs + shown[to]!.flights <= LEGS_PER_READ))
        legs += shown[to++]!.flights
      data.push(...withRoutes(shown.slice(from, to).flatMap(({ id }) => rows.get(id) ?? [])))
      if (turn.isOver()) await turn.end()
      from = to
    }
    const end = found.length > limit ? shown.at(-1) : undefined
    return { data, page: { nextCursor: end ? encodeCursor([end.last, end.id]) : null } }
  }

  async function list(caller: Caller, query: TripQuery) {
    const { data, page } = await listWithRoutes(caller, query)
    return { data: data.map(({ trip }) => trip), page }
  }

  /** Moves these flights to the trip, and all others out of it. */
  function setFlights(userId: string, tripId: number, flightIds: readonly number[]): void {
    const aboard = new Map(store.aboard(userId, flightIds).map((row) => [row.flightId, row.tripId]))
    const details = flightIds.flatMap((id, index): ErrorDetail[] =>
      aboard.has(id)
        ? []
        : [
            {
              code: 'custom',
              path: ['flightIds', String(index)],
              message: english.trips.notAboard({ id }),
            },
          ],
    )
    if (details.length > 0)
      throw new AppError('validation_failed', english.trips.notValid, {
        details: details.slice(0, MAX_DETAILS),
      })
    const others = new Set([...aboard.values()].flatMap((other) => (other === null || other === tripId ? [] : other)))
    if (others.size > 0) store.touch([...others], clock())
    store.release(tripId, flightIds)
    if (flightIds.length > 0) store.assign(tripId, userId, flightIds)
  }

  const record = (caller: Caller, kind: 'created' | 'changed' | 'deleted', { id, name }: Pick<Trip, 'id' | 'name'>) =>
    activity.record(caller, { kind: `trip.${kind}`, subject: id, name, concerns: [caller.userId] })

  function insert({ userId }: Caller, columns: Pick<TripWrite, 'name' | 'note'>): number {
    const now = clock()
    return store.insert({ ...columns, userId, createdAt: now, updatedAt: now })
  }

  /** `created` runs inside the transaction. */
  function create(caller: Caller, body: TripWrite, created?: (trip: Trip) => void): Promise<Trip> {
    return write(db, 'flights', () => {
      authorize(currentCaller(caller), 'createTrip', {})
      const { flightIds = [], ...columns } = body
      const id = insert(caller, columns)
      setFlights(caller.userId, id, flightIds)
      const trip = read(caller, id)
      created?.(trip)
      record(caller, 'created', trip)
      return trip
    })
  }

  function update(caller: Caller, id: number, body: TripWrite, unchanged?: Precondition): Promise<Trip> {
    return write(db, 'flights', () => {
      authorize(currentCaller(caller), 'updateTrip', {})
      requireTrip(caller, id)
      unchanged?.(toJson(read(caller, id)))
      const { flightIds, ...columns } = body
      if (flightIds) setFlights(caller.userId, id, flightIds)
      store.update(id, { ...columns, updatedAt: clock() })
      const trip = read(caller, id)
      record(caller, 'changed', trip)
      return trip
    })
  }

  function remove(caller: Caller, id: number, unchanged?: Precondition): Promise<void> {
    return write(db, 'flights', () => {
      authorize(currentCaller(caller), 'deleteTrip', {})
      const { name } = requireTrip(caller, id)
      unchanged?.(toJson(read(caller, id)))
      store.delete(id)
      record(caller, 'deleted', { id, name })
    })
  }

  /** Records that the flights of these trips changed. */
  function touch(caller: Caller, tripIds: ReadonlySet<number | null>): void {
    const ids = [...tripIds].filter((id) => id !== null)
    store.touch(ids, clock())
    for (const trip of store.find(caller.userId, ids)) record(caller, 'changed', trip)
  }

  /** The flights of the caller with their trips. All or none. */
  function requireAboard(caller: Caller, flightIds: readonly number[]) {
    const found = store.aboard(caller.userId, flightIds)
    requireVisible(found.length < new Set(flightIds).size ? undefined : { aboard: true }, caller, 'flight.update')
    return found
  }

  /** Moves flights of the caller to one of their trips, or to a new one. */
  function addFlights(caller: Caller, flightIds: readonly number[], to: number | { name: string }): Promise<Move> {
    return write(db, 'flights', () => {
      authorize(currentCaller(caller), 'updateTrip', {})
      const found = requireAboard(caller, flightIds)
      const isNew = typeof to !== 'number'
      const tripId = isNew ? insert(caller, { name: to.name, note: null }) : to
      const { name, flights } = read(caller, tripId)
      const former = found.filter((flight) => flight.tripId !== tripId)
      if (flights + former.length > MAX_FLIGHTS) throw conflict(english.trips.tooManyFlights({ max: MAX_FLIGHTS }))
      store.assign(tripId, caller.userId, flightIds)
      if (isNew) record(caller, 'created', { id: tripId, name })
      const changed = new Set(former.map((flight) => flight.tripId))
      if (!isNew && former.length > 0) changed.add(tripId)
      touch(caller, changed)
      return { tripId, name, isNew, former }
    })
  }

  /**
   * Moves the flights back that are still in the trip, and deletes the trip if it was created for them and is empty now.
   * Returns the number of flights. A flight whose former trip was deleted is in no trip then.
   */
  function undoMove(caller: Caller, { tripId, isNew, former }: Move): Promise<number> {
    return write(db, 'flights', () => {
      authorize(currentCaller(caller), 'updateTrip', {})
      const { userId } = caller
      const flightIds = former.map(({ flightId }) => flightId)
      const aboard = new Map(store.aboard(userId, flightIds).map((row) => [row.flightId, row.tripId]))
      const moved = former.filter(({ flightId }) => aboard.get(flightId) === tripId)
      const formerTrips = new Set(moved.flatMap((flight) => flight.tripId ?? []))
      const trips = new Set(store.find(userId, [...formerTrips]).map(({ id }) => id))
      for (const [id, some] of Map.groupBy(moved, (flight) => (trips.has(flight.tripId!) ? flight.tripId : null))) {
        const ids = some.map(({ flightId }) => flightId)
        if (id === null) store.unassign(userId, ids)
        else store.assign(id, userId, ids)
      }
      if (moved.length > 0) {
        const { name, flights } = read(caller, tripId)
        if (isNew && flights === 0) {
          store.delete(tripId)
          record(caller, 'deleted', { id: tripId, name })
        } else trips.add(tripId)
      }
      touch(caller, trips)
      return moved.length
    })
  }

  /** Takes a flight of the caller out of its trip. */
  function removeFlight(caller: Caller, flightId: number): Promise<void> {
    return write(db, 'flights', () => {
      authorize(currentCaller(caller), 'updateTrip', {})
      const former = requireAboard(caller, [flightId])
      store.unassign(caller.userId, [flightId])
      touch(caller, new Set(former.map(({ tripId }) => tripId)))
    })
  }

  /** The user's flights without a trip, in travel order. */
  function* looseFlights(userId: string): Generator<LooseRow[]> {
    let after: Position = ['', 0]
    let lastDay: LooseRow[] = []
    for (;;) {
      const rows = store.loose(userId, after, LEGS_PER_READ)
      const last = rows.at(-1)
      const isEnd = rows.length < LEGS_PER_READ
      // The rest of the last day may follow.
      const known = [...lastDay, ...rows]
      const isComplete = ({ date }: LooseRow) => isEnd || date !== last!.date
      yield inTravelOrder(known.filter(isComplete))
      if (isEnd) return
      lastDay = known.filter((row) => !isComplete(row))
      after = [last!.date, last!.id]
    }
  }

  async function suggest(caller: Caller): Promise<TripSuggestion[]> {
    authorize(caller, 'suggestTrips', {})
    const journeys = journeyFinder()
    const turn = yielder()
    for (const rows of looseFlights(caller.userId)) {
      const { airport } = reference.records.batch(idsInFlights(rows))
      for (const { id, date, fromId, toId } of rows)
        journeys.add({ id, date, from: airport(fromId)!, to: airport(toId)! })
      if (turn.isOver()) await turn.end()
    }
    return journeys.newestFirst()
  }

  /** The newest first. */
  function names(caller: Caller): { id: number; name: string }[] {
    authorize(caller, 'listTrips', {})
    return store.names(caller.userId)
  }

  // Without authorization, for shares.
  const exists = (userId: string, id: number) => store.find(userId, [id]).length > 0
  const title = (userId: string, id: number, period: Period) => store.title(userId, id, period)

  /** The trip of a flight, and the trips that it could be in. */
  function forFlight(caller: Caller, flightId: number) {
    authorize(caller, 'listTrips', {})
    const choices = store.forFlight(caller.userId, flightId)
    return { own: choices.find(({ isOwn }) => isOwn === 1), choices }
  }

  /** The names of the trips of a user's flights, without authorization, for the calendar. */
  const namesByFlight = (userId: string): ReadonlyMap<number, string> =>
    new Map(store.namesByFlight(userId).map(({ flightId, name }) => [flightId, name]))

  const reading = { list, listWithRoutes, get, suggest, names, forFlight }
  const writing = { create, update, remove, addFlights, undoMove, removeFlight }
  return { ...reading, ...writing, exists, title, namesByFlight }
}
