import { setImmediate as nextTurn } from 'node:timers/promises'
import { authorize } from '../../access/authorize.ts'
import type { Caller, CurrentCaller } from '../../access/caller.ts'
import { type JsonText, jsonText } from '../../contract/answer.ts'
import type { Precondition } from '../../contract/operation.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { isoInstant } from '../../lib/dates.ts'
import { conflict } from '../../lib/errors.ts'
import { english } from '../../messages/english.ts'
import type { ActivityService } from '../activity/service.ts'
import type { CustomFieldService } from '../custom-fields/service.ts'
import type { ReferenceService } from '../reference/service.ts'
import { bulkEdits } from './bulk.ts'
import { flightJsonCache, flightOf, type JsonWanted } from './cache/json-cache.ts'
import { flightChecks } from './checks.ts'
import { type Flight, type FlightWrite, type Passenger, PassengerWrite } from './contract.ts'
import { accountsOf, deletedFlightStore, type StoredFlight } from './deleted/store.ts'
import { columnsOf, matchPassengers, type PassengerChange, type StoredPassenger, tripsByUser } from './passengers.ts'
import { flightsByCodes, flownRoutes } from './query/by-codes.ts'
import type { FlightFilter } from './query/filter-contract.ts'
import { batches, flightList, unpagedList } from './query/list.ts'
import { relatedFlights } from './query/related.ts'
import { flightScan } from './query/scan.ts'
import type { Target } from './query/target.ts'
import { userLog } from './query/user-log.ts'
import { readableFlights, requireVisible } from './query/visible.ts'
import { logStore } from './store/log-store.ts'
import { flightReader } from './store/rows.ts'
import { flightStore } from './store/store.ts'
import { flightValueStore, passengerValueStore } from './store/value-store.ts'
import { type PackedTrack, packTrack } from './tracks/packing.ts'
import { trackStore } from './tracks/store.ts'

export type FlightService = ReturnType<typeof flightService>

/** The members of a body that determine the required scopes. */
type Deciding = Pick<FlightWrite, 'passengers' | 'track'>

interface Dependencies {
  db: Db
  clock: Clock
  reference: ReferenceService
  customFields: CustomFieldService
  activity: ActivityService
  toJson: (flight: Flight) => string
  currentCaller: CurrentCaller
  /** 0 deletes at once. */
  deletedFlightsDays: number
}

export function flightService(dependencies: Dependencies) {
  const { db, clock, reference, customFields, activity, toJson, currentCaller, deletedFlightsDays } = dependencies
  const store = flightStore(db)
  const logs = logStore(db)
  const deleted = deletedFlightStore(db)
  const tracks = trackStore(db)
  const flightValues = flightValueStore(db)
  const passengerValues = passengerValueStore(db)
  const { readMany, source, justInserted } = flightReader({ db, reference, customFields })
  const cache = flightJsonCache(db)
  const validate = flightChecks({ reference, customFields, accountsOf: store.accounts })
  const scan = flightScan(db, reference.records)

  const read = (id: number): Flight => readMany([id])[0]!
  const jsonOf = (ids: readonly number[], wanted?: Omit<JsonWanted, 'form'>) =>
    cache.get(ids, source, { form: { name: 'v1', write: toJson }, ...wanted })
  const jsonWithin = (ids: readonly number[], maxBytes: number) => jsonOf(ids, { maxBytes })
  const { list, listJson } = flightList({ db, scan, clock, jsonWithin })

  function visible(caller: Caller, id: number) {
    const [json] = jsonOf([id])
    const found = json && { json, aboard: json.userIds.includes(caller.userId) }
    authorize(caller, 'getFlight', { notPassenger: !requireVisible(found, caller, 'flight.read').aboard })
    return json!
  }

  const get = (caller: Caller, id: number): Flight => flightOf(visible(caller, id))

  /** As text, which is sent together with the headers. */
  const getJson = (caller: Caller, id: number): JsonText => jsonText(visible(caller, id).json.toString())

  /** Repeats the response to the creator: needs no read permission, but the flight must still be theirs. */
  function createdJson(caller: Caller, id: number): JsonText {
    const [found] = jsonOf([id])
    const isTheirs = found?.userIds.includes(caller.userId) || caller.permissions.has('flight.create.any')
    if (!found || !isTheirs) throw conflict(english.flights.createdIsGone)
    return jsonText(found.json.toString())
  }

  function saveTrack(flightId: number, track: PackedTrack | null | undefined, now: string): void {
    if (track === null) tracks.delete(flightId)
    if (track) tracks.save({ flightId, ...track, now })
  }

  /** Packing is asynchronous, so it runs before the transaction. */
  const packed = async (body: FlightWrite) => (body.track ? (await packTrack(body.track)).packed : body.track)

  function decideCreate(caller: Caller, body: Deciding): { passengers: readonly PassengerWrite[] } {
    const passengers = body.passengers ?? [PassengerWrite.parse({ userId: caller.userId })]
    const aboard = passengers.some(({ userId }) => userId === caller.userId)
    const several = passengers.length > 1
    authorize(caller, 'createFlight', {
      notPassenger: !aboard,
      severalWithCaller: several && aboard,
      severalWithoutCaller: several && !aboard,
      trackGiven: body.track !== undefined,
    })
    return { passengers }
  }

  /** `created` runs inside the transaction. */
  async function create(caller: Caller, body: FlightWrite, created?: (flight: Flight) => void): Promise<Flight> {
    // Refuse before packing the track.
    if (body.track) decideCreate(caller, body)
    const track = await packed(body)
    return write(db, 'flights', () => {
      const { passengers } = decideCreate(currentCaller(caller), body)
      const flight = insert(caller, body, passengers, track)
      created?.(flight)
      return flight
    })
  }

  function insert(
    caller: Caller,
    body: FlightWrite,
    passengers: readonly PassengerWrite[],
    track: PackedTrack | null | undefined,
  ): Flight {
    const checked = validate({
      body,
      stored: new Map(),
      passengers: passengers.map((item) => ({ item, record: undefined })),
      wrongIds: [],
    })
    const now = isoInstant(clock())
    const accounts = passengers.flatMap(({ userId }) => userId ?? [])
    const id = store.insert(checked.row, accounts, now)
    cache.drop(id)
    flightValues.apply(id, checked.values)
    const aboard = checked.passengers.map(({ item, user, values }): Passenger => {
      const { userId: _, ...seat } = columnsOf(item)
      const passengerId = store.insertPassenger(id, body.date, columnsOf(item))
      passengerValues.apply(passengerId, values)
      return { ...seat, id: passengerId, user: user ?? null, customFields: {} }
    })
    saveTrack(id, track, now)
    activity.record(caller, { kind: 'flight.created', subject: id, concerns: accounts })
    const isPlain = !track && [checked, ...checked.passengers].every(({ values }) => values.set.size === 0)
    // Reading the flight back takes as long as inserting it.
    return isPlain ? justInserted(id, checked, aboard, now) : read(id)
  }

  function storedPassengers(flightId: number): StoredPassenger[] {
    const values = passengerValues.ofFlight(flightId)
    return store.passengers(flightId).map((row) => ({ ...row, values: values.get(row.id) ?? new Map() }))
  }

  /** Without a change, the passengers stay as they are. */
  function decideUpdate(caller: Caller, id: number, body: Deciding): { change: PassengerChange | undefined } {
    const { aboard } = requireVisible(store.find(id, caller.userId), caller, 'flight.update')
    const change =
      body.passengers &&
      matchPassengers(storedPassengers(id), body.passengers, customFields.activeFor('flight_passenger'))
    authorize(caller, 'updateFlight', {
      notPassenger: !aboard,
      ownPassengersChange: aboard && change?.any === true,
      otherPassengersChange: !aboard && change?.any === true,
      trackGiven: body.track !== undefined,
    })
    return { change }
  }

  async function update(caller: Caller, id: number, body: FlightWrite, unchanged?: Precondition): Promise<Flight> {
    // Refuse before packing the track.
    if (body.track) decideUpdate(caller, id, body)
    const track = await packed(body)
    return write(db, 'flights', () => {
      const { change } = decideUpdate(currentCaller(caller), id, body)
      unchanged?.(toJson(read(id)))
      const checked = validate({
        body,
        stored: flightValues.ofFlight(id).get(id) ?? new Map(),
        passengers: change?.matches ?? [],
        wrongIds: change?.wrongIds ?? [],
      })
      const now = isoInstant(clock())
      cache.drop(id)
      store.update(id, checked.row, now)
      flightValues.apply(id, checked.values)
      for (const { id: passengerId } of change?.removed ?? []) store.removePassenger(passengerId)
      const trips = change && tripsByUser(change)
      const withTrip = (item: PassengerWrite) => ({
        ...columnsOf(item),
        tripId: trips?.get(item.userId ?? '') ?? null,
      })
      const kept = checked.passengers.flatMap(({ item, record }) =>
        record ? [{ ...withTrip(item), id: record.id }] : [],
      )
      const renamed = checked.passengers.flatMap(({ item, record }) =>
        record && (record.userId !== item.userId || record.guestName !== item.guestName) ? [record.id] : [],
      )
      store.updatePassengers(id, body.date, kept, renamed)
      for (const { item, record, values } of checked.passengers) {
        passengerValues.apply(record?.id ?? store.addPassenger(id, body.date, withTrip(item)), values)
      }
      saveTrack(id, track, now)
      const flight = read(id)
      const left = change?.removed.flatMap(({ userId }) => userId ?? []) ?? []
      const concerns = [...flight.passengers.flatMap(({ user }) => user?.id ?? []), ...left]
      activity.record(caller, { kind: 'flight.changed', subject: id, concerns })
      return flight
    })
  }

  function requireRemovable(actor: Caller, flight: StoredFlight | undefined): StoredFlight {
    const found = flight && { ...flight, aboard: accountsOf(flight).includes(actor.userId) }
    const visible = requireVisible(found, actor, 'flight.delete')
    authorize(actor, 'deleteFlight', { notPassenger: !visible.aboard })
    return visible
  }

  /** The only way to delete flights except with their account (contract 17.4). */
  function removeNow(caller: Caller, ids: readonly number[], unchanged?: (id: number) => void): void {
    const actor = currentCaller(caller)
    const stored = new Map(deleted.live(ids).map((flight) => [flight.id, flight]))
    const by = { deletedAt: clock(), deletedBy: actor.userId || null }
    for (const flight of ids.map((id) => requireRemovable(actor, stored.get(id)))) {
      const { id, content } = flight
      unchanged?.(id)
      cache.drop(id)
      activity.record(caller, { kind: 'flight.deleted', subject: id, concerns: accountsOf(flight) })
      if (deletedFlightsDays > 0 && content.track) deleted.moveTrackAside(id)
      store.delete(id)
      if (deletedFlightsDays > 0) deleted.insert(flight, by)
    }
  }

  const remove = (caller: Caller, id: number, unchanged?: Precondition): Promise<void> =>
    write(db, 'flights', () => removeNow(caller, [id], unchanged && (() => unchanged(toJson(read(id))))))

  /** All or none. */
  const removeAll = (caller: Caller, ids: readonly number[]): Promise<void> =>
    write(db, 'flights', () => removeNow(caller, [...new Set(ids)]))

  async function idsOf(target: Target, filter: FlightFilter | undefined): Promise<number[]> {
    if (!filter) return logs.ids(target)
    const ids: number[] = []
    for (const slice of scan.slices({ target, filter }, clock())) {
      for (const { id } of slice) ids.push(id)
      await nextTurn()
    }
    return ids.sort((left, right) => left - right)
  }

  /** Reads whole logs, without authorization. */
  const log = {
    ids: logs.ids,
    idsOf,
    figures: scan.figures,
    newest: logs.newest,
    byCodes: flightsByCodes(db),
    routes: flownRoutes({ db, reference }),
    // Bypasses the cache: a whole log would evict flights that are read often.
    read: readMany,
    batches: (ids: readonly number[]) => batches(ids, source),
  }

  /** The legacy API authorizes before it looks up codes (contract 6.1). */
  const decide = { create: decideCreate, update: decideUpdate }

  return {
    list,
    listJson,
    get,
    readable: readableFlights(store),
    getJson,
    createdJson,
    jsonOf,
    log,
    unpaged: unpagedList({ ids: logs.ids, json: (ids, wanted) => cache.get(ids, source, wanted) }),
    ...userLog({ db, clock, reference, scan }),
    related: relatedFlights({ db, clock }),
    ...bulkEdits({ db, clock, activity, currentCaller, cache }),
    create,
    update,
    remove,
    removeAll,
    decide,
  }
}
