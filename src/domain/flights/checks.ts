import { AppError, type ErrorDetail } from '../../lib/errors.ts'
import { distanceMeters } from '../../lib/geo.ts'
import { english } from '../../messages/english.ts'
import type { CustomValues } from '../custom-fields/contract.ts'
import { matchWithin } from '../custom-fields/pattern.ts'
import type { CustomFieldService } from '../custom-fields/service.ts'
import { type Definition, mergeValues } from '../custom-fields/values.ts'
import type { Airport, Records } from '../reference/contract.ts'
import { addFieldId, idsInFlights, type RecordIds } from '../reference/kinds.ts'
import type { ReferenceService } from '../reference/service.ts'
import type { FlightWrite, Passenger, PassengerWrite } from './contract.ts'
import { type Match, repeated } from './passengers.ts'
import { completedFrom, durationOf } from './times.ts'

interface Dependencies {
  reference: ReferenceService
  customFields: CustomFieldService
  accountsOf: (ids: readonly string[]) => ReadonlyMap<string, Account>
}

export type Account = NonNullable<Passenger['user']>

interface Request {
  body: FlightWrite
  stored: ReadonlyMap<number, unknown>
  passengers: readonly Match[]
  wrongIds: readonly number[]
}

interface CheckedPassenger {
  item: PassengerWrite
  /** Null for a guest, undefined for a user who does not exist. */
  user: Account | null | undefined
}

function namedIn(
  { body, stored, passengers }: Request,
  flightFields: readonly Definition[],
  passengerFields: readonly Definition[],
): RecordIds {
  const ids = idsInFlights([body])
  function addCustom(fields: readonly Definition[], values: CustomValues = {}, before?: ReadonlyMap<number, unknown>) {
    for (const { id, key, fieldType } of fields)
      for (const value of [values[key], before?.get(id)]) addFieldId(ids, fieldType, value)
  }
  addCustom(flightFields, body.customFields, stored)
  for (const { item, record } of passengers) addCustom(passengerFields, item.customFields, record?.values)
  return ids
}

/** The columns of a flight, including derived ones. */
export function flightRow(body: FlightWrite, from: Airport, to: Airport) {
  const { passengers: _, track: __, customFields: ___, ...plain } = body
  const duration = durationOf(body)
  return {
    ...plain,
    duration,
    distanceMeters: distanceMeters(from, to),
    completedFrom: completedFrom({ ...body, duration }, from.timezone),
  }
}

function referenceErrors({ fromId, toId, airlineId, aircraftId }: FlightWrite, records: Records): ErrorDetail[] {
  const checked = [
    ['fromId', english.flights.noAirport, fromId, records.airport],
    ['toId', english.flights.noAirport, toId, records.airport],
    ['airlineId', english.flights.noAirline, airlineId, records.airline],
    ['aircraftId', english.flights.noAircraft, aircraftId, records.aircraft],
  ] as const
  return checked.flatMap(([path, message, id, find]) => {
    if (id === null || find(id)) return []
    return { code: 'custom', path: [path], message: message({ id }) }
  })
}

function passengerErrors(passengers: readonly CheckedPassenger[], wrongIds: readonly number[]): ErrorDetail[] {
  const error = (index: number, member: string, message: string): ErrorDetail => ({
    code: 'custom',
    path: ['passengers', String(index), member],
    message,
  })
  return [
    ...wrongIds.map((index) => error(index, 'id', english.flights.notAPassenger)),
    ...passengers.flatMap(({ item, user }, index) =>
      item.userId === null || user ? [] : error(index, 'userId', english.flights.noUser),
    ),
    ...repeated(passengers.map(({ item }) => item)).map(([index, member]) =>
      error(index, member, english.flights.listedTwice),
    ),
  ]
}

/** Checks a body against stored data (contract 1.4, step 9). Reports all errors together. */
export function flightChecks({ reference, customFields, accountsOf }: Dependencies) {
  return function validate(request: Request) {
    const { body, stored } = request
    const flightFields = customFields.activeFor('flight')
    const passengerFields = customFields.activeFor('flight_passenger')
    const records = reference.records.batch(namedIn(request, flightFields, passengerFields))
    const common = { references: records, match: matchWithin() }
    const values = mergeValues({
      ...common,
      definitions: flightFields,
      stored,
      request: body.customFields,
      path: [],
    })
    const accounts = accountsOf(request.passengers.flatMap(({ item }) => item.userId ?? []))
    const passengers = request.passengers.map(({ item, record }, index) => ({
      item,
      record,
      user: item.userId === null ? null : accounts.get(item.userId),
      values: mergeValues({
        ...common,
        definitions: passengerFields,
        stored: record?.values ?? new Map<number, unknown>(),
        request: item.customFields,
        path: ['passengers', String(index)],
      }),
    }))
    const [from, to] = [records.airport(body.fromId), records.airport(body.toId)]
    const details = [
      ...referenceErrors(body, records),
      ...passengerErrors(passengers, request.wrongIds),
      ...values.errors,
      ...passengers.flatMap((passenger) => passenger.values.errors),
    ]
    if (!from || !to || details.length > 0) {
      throw new AppError('validation_failed', english.flights.notValid, {
        details: details.slice(0, 50),
      })
    }
    return { row: flightRow(body, from, to), values, passengers, records }
  }
}
