import { setImmediate as nextTurn } from 'node:timers/promises'
import { authorize } from '../../../access/authorize.ts'
import type { Caller, CurrentCaller } from '../../../access/caller.ts'
import { type JsonAnswer, jsonText } from '../../../contract/answer.ts'
import type { Db } from '../../../db/open.ts'
import { write } from '../../../db/write.ts'
import type { Clock } from '../../../lib/clock.ts'
import { openCursor, sealCursor } from '../../../lib/cursor.ts'
import { DAY_MS, isoInstant } from '../../../lib/dates.ts'
import { AppError, conflict } from '../../../lib/errors.ts'
import { distanceMeters } from '../../../lib/geo.ts'
import { english } from '../../../messages/english.ts'
import type { ActivityService } from '../../activity/service.ts'
import type { CustomFieldService } from '../../custom-fields/service.ts'
import { addFieldId, idsInFlights } from '../../reference/kinds.ts'
import type { ReferenceService } from '../../reference/service.ts'
import { flightJsonCache } from '../cache/json-cache.ts'
import type { Flight } from '../contract.ts'
import { permits, requireVisible } from '../query/visible.ts'
import { ALL_USERS } from '../store/feed-entries.ts'
import { flightReader } from '../store/rows.ts'
import { flightStore } from '../store/store.ts'
import { flightValueStore, passengerValueStore } from '../store/value-store.ts'
import { completedFrom } from '../times.ts'
import type { DeletedFlightQuery } from './contract.ts'
import { deletedFlightReader } from './reader.ts'
import { accountsOf, type Content, type DeletedFlight, deletedFlightStore } from './store.ts'

export type DeletedFlightService = ReturnType<typeof deletedFlightService>

export type DeletedFlights = Awaited<ReturnType<DeletedFlightService['list']>>

/** Contract 16.11; a single flight may be larger. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024
/** Read at a time: about 20 ms of work. */
const PART_BYTES = 1024 * 1024
const PURGE_BATCH = 500
const MAX_BATCHES_PER_PURGE = 50

type DeletedItem = DeletedFlight & { flight: Flight }

function positionIn(cursor: string): number {
  const [, seq] = /^deleted\.(\d{1,15})$/.exec(openCursor(cursor) ?? '') ?? []
  if (seq === undefined) throw new AppError('bad_request', english.filter.cursor)
  return Number(seq)
}

/** At least one item. */
function startOf<Item extends { bytes: number }>(items: readonly Item[], maxBytes: number): Item[] {
  let sum = 0
  const end = items.findIndex(({ bytes }) => {
    sum += bytes
    return sum > maxBytes
  })
  return items.slice(0, end === -1 ? items.length : Math.max(end, 1))
}

const isRecordType = (type: string): type is 'airport' | 'airline' | 'aircraft' =>
  ['airport', 'airline', 'aircraft'].includes(type)

interface Dependencies {
  db: Db
  clock: Clock
  reference: ReferenceService
  customFields: CustomFieldService
  activity: ActivityService
  toJson: (flight: Flight) => string
  currentCaller: CurrentCaller
  /** Contract 17.4: deleted flights are kept for this long. */
  days: number
}

export function deletedFlightService(dependencies: Dependencies) {
  const { db, clock, reference, customFields, activity, toJson, currentCaller, days } = dependencies
  const store = deletedFlightStore(db)
  const flights = flightStore(db)
  const flightValues = flightValueStore(db)
  const passengerValues = passengerValueStore(db)
  const cache = flightJsonCache(db)
  const live = flightReader({ db, reference, customFields })
  const toFlights = deletedFlightReader({ store, flights, reference, customFields })
  const since = () => clock() - days * DAY_MS

  function find(id: number): DeletedFlight | undefined {
    const found = store.find(id)
    return found && found.deletedAt > since() ? found : undefined
  }

  function visible(
    actor: Caller,
    id: number,
    action: 'flight.create' | 'flight.delete',
  ): DeletedFlight & { aboard: boolean } {
    const found = find(id)
    return requireVisible(found && { ...found, aboard: accountsOf(found).includes(actor.userId) }, actor, action)
  }

  function isRestorable(caller: Caller, id: number): boolean {
    const found = find(id)
    return found !== undefined && permits(caller, 'flight.create', accountsOf(found).includes(caller.userId))
  }

  /** As many as fit into a page. Yields between parts of a limited size. */
  async function readPage(found: readonly { seq: number; bytes: number }[]): Promise<DeletedItem[]> {
    const items: DeletedItem[] = []
    let [from, taken] = [0, 0]
    while (from < found.length) {
      const part = startOf(found.slice(from), PART_BYTES)
      taken += part.reduce((sum, { bytes }) => sum + bytes, 0)
      if (taken > MAX_PAGE_BYTES && items.length > 0) break
      const deleted = store.read(part.map(({ seq }) => seq))
      const records = toFlights(deleted)
      items.push(...deleted.map((item, index) => ({ ...item, flight: records[index]! })))
      from += part.length
      if (from < found.length) await nextTurn()
    }
    return items
  }

  async function page(caller: Caller, { scope, limit, cursor }: DeletedFlightQuery) {
    // The cursor is validated before scopes (contract 1.4, step 5).
    const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : positionIn(cursor)
    authorize(caller, 'listDeletedFlights', { otherUsers: scope === 'all' })
    const userId = scope === 'all' ? ALL_USERS : caller.userId
    const found = store.page({ userId, before, since: since(), limit: limit + 1 })
    const items = await readPage(found.slice(0, limit))
    const last = items.at(-1)?.seq
    const more = last !== undefined && found.at(-1)!.seq !== last
    return { items, nextCursor: more ? sealCursor(`deleted.${last}`) : null }
  }

  const deletionOf = ({ id, deletedAt, deletedBy }: DeletedFlight) => ({
    id,
    deletedAt: isoInstant(deletedAt),
    deletedBy,
  })

  async function listJson(caller: Caller, query: DeletedFlightQuery): Promise<JsonAnswer> {
    const { items, nextCursor } = await page(caller, query)
    const data = items.map(({ flight, ...item }) => {
      const start = JSON.stringify(deletionOf(item)).slice(0, -1)
      return jsonText(`${start},"flight":${toJson(flight)}}`)
    })
    return { data, page: { nextCursor } }
  }

  async function list(caller: Caller, query: DeletedFlightQuery) {
    const { items, nextCursor } = await page(caller, query)
    return { items: items.map(({ flight, ...item }) => ({ ...deletionOf(item), flight })), nextCursor }
  }

  /** What a deleted flight can refer to: reference rows and fields that still exist. */
  function remaining({ references, content }: DeletedFlight) {
    const typesOf = (entity: 'flight' | 'flight_passenger') =>
      new Map(customFields.definitionsOf(entity).map(({ id, fieldType }) => [id, fieldType]))
    const ids = idsInFlights([references])
    const types = { flight: typesOf('flight'), passenger: typesOf('flight_passenger') }
    for (const [id, value] of content.values) addFieldId(ids, types.flight.get(id) ?? '', value)
    for (const { values } of content.passengers)
      for (const [id, value] of values) addFieldId(ids, types.passenger.get(id) ?? '', value)
    const records = reference.records.batch(ids)

    function requireAirport(id: number) {
      const airport = records.airport(id)
      if (airport) return airport
      throw conflict(english.flights.airportGone)
    }

    function valuesOf(owner: keyof typeof types, values: Content['values']) {
      const exists = ([id, value]: Content['values'][number]) => {
        const type = types[owner].get(id)
        return type !== undefined && (!isRecordType(type) || records[type](value as number) !== undefined)
      }
      return { set: new Map(values.filter(exists)), remove: [] }
    }

    return { records, requireAirport, valuesOf }
  }

  function insertAgain(deleted: DeletedFlight, now: string): void {
    const { id, references, content } = deleted
    const { records, requireAirport, valuesOf } = remaining(deleted)
    const [from, to] = [requireAirport(references.fromId), requireAirport(references.toId)]
    const { airlineId, aircraftId } = references
    const columns = {
      ...content.flight,
      ...references,
      airlineId: airlineId !== null && records.airline(airlineId) ? airlineId : null,
      aircraftId: aircraftId !== null && records.aircraft(aircraftId) ? aircraftId : null,
      // The airports may have moved meanwhile.
      distanceMeters: distanceMeters(from, to),
      completedFrom: completedFrom(content.flight, from.timezone),
      updatedAt: now,
    }
    const trips = store.tripsOf(deleted)
    const people = content.passengers.map((passenger) =>
      passenger.tripId === null || trips.has(passenger.tripId) ? passenger : { ...passenger, tripId: null },
    )
    flights.insertAgain(id, columns, people)
    if (content.values.length > 0) flightValues.apply(id, valuesOf('flight', content.values))
    for (const { id, values } of content.passengers) {
      if (values.length > 0) passengerValues.apply(id, valuesOf('passenger', values))
    }
    if (content.track) store.moveTrackBack(id)
  }

  /** Contract 17.4. A second restore is 404. */
  const restore = (caller: Caller, id: number): Promise<Flight> =>
    write(db, 'flights', () => {
      const actor = currentCaller(caller)
      const { aboard, ...deleted } = visible(actor, id, 'flight.create')
      authorize(actor, 'restoreFlight', { notPassenger: !aboard })
      cache.drop(id)
      insertAgain(deleted, isoInstant(clock()))
      store.purge([deleted.seq])
      activity.record(caller, { kind: 'flight.restored', subject: id, concerns: accountsOf(deleted) })
      return live.readMany([id])[0]!
    })

  /** For pages: needs the same permissions as deleting the flight. */
  const removePermanently = (caller: Caller, id: number): Promise<void> =>
    write(db, 'flights', () => {
      const actor = currentCaller(caller)
      const { aboard, seq } = visible(actor, id, 'flight.delete')
      authorize(actor, 'deleteFlight', { notPassenger: !aboard })
      store.purge([seq])
    })

  async function purge(): Promise<void> {
    let batches = 0
    const purgeBatch = () => store.purgeExpired(since(), PURGE_BATCH)
    while (batches < MAX_BATCHES_PER_PURGE && (await write(db, 'uncached', purgeBatch)) === PURGE_BATCH) batches++
    await write(db, 'uncached', store.removeUnusedRecords)
  }

  return { list, listJson, isRestorable, restore, removePermanently, purge, days, count: () => store.count(since()) }
}
