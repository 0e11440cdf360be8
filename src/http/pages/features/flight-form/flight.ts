import { toErrorDetails } from '../../../../contract/issues.ts'
import type { CustomField } from '../../../../domain/custom-fields/contract.ts'
import { type Flight, FlightWrite, timePairs } from '../../../../domain/flights/contract.ts'
import type { ReferenceService } from '../../../../domain/reference/service.ts'
import { isCalendarDay } from '../../../../lib/dates.ts'
import type { ErrorDetail } from '../../../../lib/errors.ts'
import { choose, type Lookup } from '../../components/lookup.ts'
import { fieldOf } from '../../framework/form.ts'
import { readValues, showValues } from './custom-values.ts'
import { plainTexts } from './fields.ts'
import { fault, type Reading, readLookup, readText } from './reading.ts'
import { readDuration, readTimes, shownDuration, showTimes } from './times.ts'
import { readTravellers, showTravellers } from './travellers.ts'

/** The active definitions of custom fields. */
export interface Definitions {
  flight: readonly CustomField[]
  passenger: readonly CustomField[]
}

/** A stored flight as the fields of its form, with its travellers from a certain one on. */
export function shownFlight(flight: Flight, definitions: Definitions, lookup: Lookup, first: number): URLSearchParams {
  const form = new URLSearchParams({ date: flight.date, datePrecision: flight.datePrecision })
  for (const name of ['from', 'to'] as const) choose(form, name, lookup.option('airport', flight[name].id)!)
  if (flight.airline) choose(form, 'airline', lookup.option('airline', flight.airline.id)!)
  if (flight.aircraft) choose(form, 'aircraft', lookup.option('aircraft', flight.aircraft.id)!)
  for (const name of plainTexts) form.set(name, flight[name] ?? '')
  showTimes(form, flight)
  form.set('duration', shownDuration(flight))
  showValues(form, '', definitions.flight, flight.customFields, lookup)
  showTravellers(form, flight.passengers, definitions.passenger, lookup, first)
  return form
}

/** Of a month or a year its first day is kept (contract 4.2), unless another one stands there already. */
function readDate(form: URLSearchParams, stored: Flight | undefined): string {
  const date = fieldOf(form, 'date').trim()
  const precision = fieldOf(form, 'datePrecision')
  if (!isCalendarDay(date) || (stored?.date === date && stored.datePrecision === precision)) return date
  if (precision === 'month') return `${date.slice(0, 7)}-01`
  return precision === 'year' ? `${date.slice(0, 4)}-01-01` : date
}

/** An airline that nobody named is that of the number, unless it was taken out of a stored flight on purpose. */
function takeAirline({ form, lookup }: Reading, stored: Flight | undefined): void {
  if (fieldOf(form, 'airline').trim() !== '') return
  if (stored && readText(form, 'flightNumber', stored.flightNumber) === stored.flightNumber) return
  const airline = lookup.airlineOfNumber(fieldOf(form, 'flightNumber'))
  if (airline) choose(form, 'airline', airline)
}

interface Sources {
  definitions: Definitions
  records: ReferenceService['records']
  stored?: Flight | undefined
  /** False keeps the travellers of a stored flight as they are. */
  withTravellers: boolean
}

/** A form as the body that v1 takes, or undefined when there are faults. */
export async function readFlight(reading: Reading, { definitions, records, stored, withTravellers }: Sources) {
  const { form, faults } = reading
  form.set('date', readDate(form, stored))
  if (fieldOf(form, 'date') === '') fault(reading, 'date', 'Enter the day of departure.')
  const fromId = await readLookup(reading, 'from', 'airport')
  const toId = await readLookup(reading, 'to', 'airport')
  if (fromId === null) fault(reading, 'from', 'Enter where the flight began.')
  if (toId === null) fault(reading, 'to', 'Enter where the flight ended.')
  const zoneOf = (id: number | null | undefined) => (id ? records.airport(id)?.timezone : undefined)
  takeAirline(reading, stored)
  const airlineId = await readLookup(reading, 'airline', 'airline')
  const aircraftId = await readLookup(reading, 'aircraft', 'aircraft')
  const travellers = withTravellers ? await readTravellers(reading, definitions.passenger, stored) : undefined
  const parsed = FlightWrite.safeParse({
    date: fieldOf(form, 'date'),
    datePrecision: fieldOf(form, 'datePrecision') || 'day',
    ...readTimes(reading, { from: zoneOf(fromId), to: zoneOf(toId) }, stored),
    duration: readDuration(reading, stored),
    ...Object.fromEntries(plainTexts.map((name) => [name, readText(form, name, stored?.[name])])),
    fromId,
    toId,
    airlineId: airlineId ?? null,
    aircraftId: aircraftId ?? null,
    ...(travellers && { passengers: travellers.passengers }),
    customFields: await readValues(reading, '', definitions.flight, stored?.customFields),
  })
  const rows = travellers?.rows ?? []
  if (!parsed.success) tellFaults(reading, toErrorDetails(parsed.error), rows)
  return { body: parsed.success && Object.keys(faults).length === 0 ? parsed.data : undefined, rows }
}

const fieldNames: Record<string, string> = { fromId: 'from', toId: 'to', airlineId: 'airline', aircraftId: 'aircraft' }

const afterOther: Record<string, string> = {
  arrival: 'This is before the departure. Where it was another day, enter the day too.',
  arrivalScheduled: 'This is before the scheduled departure. Where it was another day, enter the day too.',
  landingScheduled: 'This is before the scheduled take-off. Where it was another day, enter the day too.',
  landingActual: 'This is before the take-off. Where it was another day, enter the day too.',
}

/** The field of the form that a path of the body means; travellers stand in the rows that they came from. */
function fieldAt([first = '', index, member, ...rest]: readonly string[], rows: readonly number[]): string {
  if (first !== 'passengers') return [fieldNames[first] ?? first, ...[index ?? [], member ?? [], rest].flat()].join('.')
  const row = index === undefined ? undefined : rows[Number(index)]
  if (row === undefined) return first
  return ['passengers', row, member === undefined || member === 'userId' ? 'who' : member, ...rest].join('.')
}

const isTime = (name: string) => timePairs.flat().some((time) => time === name)

/** Faults of the body beside the fields of the form; what was said of a field already stands. */
export function tellFaults(reading: Reading, details: readonly ErrorDetail[], rows: readonly number[]): void {
  for (const { path, message } of details) {
    const name = fieldAt(path, rows)
    const isOrder = isTime(name) && message.startsWith('Must not be before')
    if (isOrder) fault(reading, name, afterOther[name] ?? message)
    else if (isTime(name)) fault(reading, name, 'This day and time cannot be kept. Check the day.')
    else if (name === 'date') fault(reading, name, 'Enter a day that exists.')
    else fault(reading, name, message)
  }
}
