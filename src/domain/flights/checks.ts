import { AppError, type ErrorDetail } from '../../lib/errors.ts'
import type { CustomValues } from '../custom-fields/contract.ts'
import { matchWithin } from '../custom-fields/pattern.ts'
import type { CustomFieldService } from '../custom-fields/service.ts'
import { type Definition, type Merged, mergeValues } from '../custom-fields/values.ts'
import type { Records } from '../reference/contract.ts'
import { addFieldId, idsInFlights, type RecordIds } from '../reference/kinds.ts'
import type { ReferenceService } from '../reference/service.ts'
import { type FlightWrite, type Passenger, PassengerWrite } from './contract.ts'
import { flightRow } from './derived.ts'
import { type Match, repeated } from './passengers.ts'

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

/** Checks a body against stored data (contract 1.4, step 9). Reports all faults together. */
export function flightChecks({ reference, customFields, accountsOf }: Dependencies) {
  function referenceFaults({ fromId, toId, airlineId, aircraftId }: FlightWrite, records: Records): ErrorDetail[] {
    const missing = (path: string, kind: string, id: number): ErrorDetail => ({
      code: 'custom',
      path: [path],
      message: `There is no ${kind} with the id ${id}; search for it first.`,
    })
    return [
      ...(records.airport(fromId) ? [] : [missing('fromId', 'airport', fromId)]),
      ...(records.airport(toId) ? [] : [missing('toId', 'airport', toId)]),
      ...(airlineId === null || records.airline(airlineId) ? [] : [missing('airlineId', 'airline', airlineId)]),
      ...(aircraftId === null || records.aircraft(aircraftId)
        ? []
        : [missing('aircraftId', 'aircraft type', aircraftId)]),
    ]
  }

  function passengerFaults(passengers: readonly CheckedPassenger[], wrongIds: readonly number[]): ErrorDetail[] {
    const fault = (index: number, member: string, message: string): ErrorDetail => ({
      code: 'custom',
      path: ['passengers', String(index), member],
      message,
    })
    return [
      ...wrongIds.map((index) => fault(index, 'id', 'Is not a passenger of this flight, or stands there twice.')),
      ...passengers.flatMap(({ item, user }, index) =>
        item.userId === null || user ? [] : [fault(index, 'userId', 'There is no user with this id.')],
      ),
      ...repeated(passengers.map(({ item }) => item)).map(([index, member]) =>
        fault(index, member, 'Stands among the passengers already.'),
      ),
    ]
  }

  function validate(request: Request) {
    const { body, stored } = request
    const flightFields = customFields.activeFor('flight')
    const passengerFields = customFields.activeFor('flight_passenger')
    const records = reference.records.batch(namedIn(request, flightFields, passengerFields))
    const match = matchWithin()
    const values = mergeValues({
      definitions: flightFields,
      stored,
      request: body.customFields,
      references: records,
      match,
      path: [],
    })
    const accounts = accountsOf(request.passengers.flatMap(({ item }) => item.userId ?? []))
    const passengers = request.passengers.map(({ item, record }, index) => {
      const path = ['passengers', String(index)]
      const before = record?.values ?? new Map<number, unknown>()
      const merged: Merged = mergeValues({
        definitions: passengerFields,
        stored: before,
        request: item.customFields,
        references: records,
        match,
        path,
      })
      const user = item.userId === null ? null : accounts.get(item.userId)
      return { item, record, user, values: merged }
    })
    const [from, to] = [records.airport(body.fromId), records.airport(body.toId)]
    const details = [
      ...referenceFaults(body, records),
      ...passengerFaults(passengers, request.wrongIds),
      ...values.errors,
      ...passengers.flatMap((passenger) => passenger.values.errors),
    ]
    if (!from || !to || details.length > 0) {
      throw new AppError('validation_failed', 'The flight is not valid; details say what to change.', {
        details: details.slice(0, 50),
      })
    }
    return { row: flightRow(body, from, to), values, passengers, records }
  }

  /** The passenger of a flight without a passenger list. */
  const alone = (userId: string): PassengerWrite => PassengerWrite.parse({ userId })

  return { validate, alone }
}
