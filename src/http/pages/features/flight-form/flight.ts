import { toErrorDetails } from '../../../../contract/issues.ts'
import type { CustomField } from '../../../../domain/custom-fields/contract.ts'
import { type Flight, FlightWrite, timePairs } from '../../../../domain/flights/contract.ts'
import type { ReferenceService } from '../../../../domain/reference/service.ts'
import { isCalendarDay } from '../../../../lib/dates.ts'
import type { ErrorDetail } from '../../../../lib/errors.ts'
import { findMessage } from '../../../../messages/find.ts'
import { fillLookup, type Lookup } from '../../components/lookup.ts'
import { fieldOf } from '../../framework/form.ts'
import { messageText } from '../../framework/service-messages.ts'
import { readCustomValues, showCustomValues } from './custom-fields.tsx'
import { readPassengers, showPassengers } from './passengers.tsx'
import { addFieldError, type Reading, readLookup, readText } from './reading.ts'
import { readDuration, readTimes, shownDuration, showTimes } from './times.ts'

/** The active custom fields. */
export interface Definitions {
  flight: readonly CustomField[]
  passenger: readonly CustomField[]
}

const plainTexts = [
  'departureTerminal',
  'departureGate',
  'arrivalTerminal',
  'arrivalGate',
  'flightNumber',
  'aircraftReg',
  'note',
] as const

/** The fields of a stored flight, with its passengers from the index `first` on. */
export function formOfFlight(flight: Flight, definitions: Definitions, lookup: Lookup, first: number): URLSearchParams {
  const form = new URLSearchParams({ date: flight.date, datePrecision: flight.datePrecision })
  for (const name of ['from', 'to'] as const) fillLookup(form, name, lookup.option('airport', flight[name].id)!)
  for (const name of ['airline', 'aircraft'] as const) {
    const record = flight[name]
    if (record) fillLookup(form, name, lookup.option(name, record.id)!)
  }
  for (const name of plainTexts) form.set(name, flight[name] ?? '')
  showTimes(form, flight)
  form.set('duration', shownDuration(flight))
  showCustomValues(form, '', definitions.flight, flight.customFields, lookup)
  showPassengers(form, flight.passengers, definitions.passenger, lookup, first)
  return form
}

/** Stores the first day of a month or year (contract 4.2), unless the date is unchanged. */
function readDate(form: URLSearchParams, stored: Flight | undefined): string {
  const date = fieldOf(form, 'date').trim()
  const precision = fieldOf(form, 'datePrecision')
  if (!isCalendarDay(date) || (stored?.date === date && stored.datePrecision === precision)) return date
  if (precision === 'month') return `${date.slice(0, 7)}-01`
  return precision === 'year' ? `${date.slice(0, 4)}-01-01` : date
}

/** Fills an empty airline from the flight number, unless the user removed it from a stored flight. */
function fillAirline({ form, lookup }: Reading, stored: Flight | undefined): void {
  if (fieldOf(form, 'airline').trim() !== '') return
  if (stored && readText(form, 'flightNumber', stored.flightNumber) === stored.flightNumber) return
  const airline = lookup.airlineOfNumber(fieldOf(form, 'flightNumber'))
  if (airline) fillLookup(form, 'airline', airline)
}

interface Sources {
  definitions: Definitions
  records: ReferenceService['records']
  stored?: Flight | undefined
  /** False keeps the passengers of a stored flight. */
  withPassengers: boolean
}

/** The form as a v1 body, which is undefined if there are errors. */
export async function readFlight(reading: Reading, { definitions, records, stored, withPassengers }: Sources) {
  const { form, fieldErrors, texts } = reading
  form.set('date', readDate(form, stored))
  if (fieldOf(form, 'date') === '') addFieldError(reading, 'date', texts.enterDate)
  const fromId = await readLookup(reading, 'from', 'airport')
  const toId = await readLookup(reading, 'to', 'airport')
  if (fromId === null) addFieldError(reading, 'from', texts.enterFrom)
  if (toId === null) addFieldError(reading, 'to', texts.enterTo)
  const zoneOf = (id: number | null | undefined) => (id ? records.airport(id)?.timezone : undefined)
  fillAirline(reading, stored)
  const airlineId = await readLookup(reading, 'airline', 'airline')
  const aircraftId = await readLookup(reading, 'aircraft', 'aircraft')
  const read = withPassengers ? await readPassengers(reading, definitions.passenger, stored) : undefined
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
    ...(read && { passengers: read.passengers }),
    customFields: await readCustomValues(reading, '', definitions.flight, stored?.customFields),
  })
  const rows = read?.rows ?? []
  if (!parsed.success) addBodyErrors(reading, toErrorDetails(parsed.error), rows)
  return { body: parsed.success && Object.keys(fieldErrors).length === 0 ? parsed.data : undefined, rows }
}

const fieldNames: Record<string, string> = { fromId: 'from', toId: 'to', airlineId: 'airline', aircraftId: 'aircraft' }

/** The form field of a path in the body; passengers are mapped to their rows. */
function fieldAt([first = '', ...rest]: readonly string[], rows: readonly number[]): string {
  if (first !== 'passengers') return [fieldNames[first] ?? first, ...rest].join('.')
  const [index, member = 'userId', ...more] = rest
  const row = rows[Number(index)]
  if (row === undefined) return first
  return ['passengers', row, member === 'userId' ? 'who' : member, ...more].join('.')
}

export const timeNames: ReadonlySet<string> = new Set(timePairs.flat())

export function addBodyErrors(reading: Reading, details: readonly ErrorDetail[], rows: readonly number[]): void {
  const { texts, pageTexts } = reading
  const tooEarly: Record<string, string> = texts.tooEarly
  for (const { path, message } of details) {
    const name = fieldAt(path, rows)
    const order = findMessage(message)?.path[1] === 'notBefore' ? tooEarly[name] : undefined
    if (order) addFieldError(reading, name, order)
    else if (timeNames.has(name)) addFieldError(reading, name, texts.invalidDayAndTime)
    else if (name === 'date') addFieldError(reading, name, texts.invalidDate)
    else addFieldError(reading, name, messageText(message, pageTexts))
  }
}
