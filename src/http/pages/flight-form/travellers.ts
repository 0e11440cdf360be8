import type { CustomField } from '../../../domain/custom-fields/contract.ts'
import type { Flight, Passenger } from '../../../domain/flights/contract.ts'
import { fieldOf } from '../form.ts'
import { readValues, showValues } from './custom-values.ts'
import type { Lookup } from './lookup.ts'
import { fault, type Reading, readText } from './reading.ts'

/** More people than this do not fit into a form; a flight that has them keeps them. */
export const MOST_ROWS = 20

export const rowPrefix = (row: number): string => `passengers.${row}.`

export const rowsOf = (form: URLSearchParams): number =>
  Math.min(Math.max(Math.trunc(Number(fieldOf(form, 'rows'))) || 0, 0), MOST_ROWS)

type Shown = Pick<Passenger, 'user' | 'guestName' | 'seat' | 'seatNumber' | 'seatClass' | 'flightReason'> & {
  id?: number
  customFields: Record<string, unknown>
}

export function showTravellers(
  form: URLSearchParams,
  passengers: readonly Shown[],
  definitions: readonly CustomField[],
  lookup: Lookup,
): void {
  form.set('rows', String(passengers.length))
  for (const [row, passenger] of passengers.entries()) {
    const prefix = rowPrefix(row)
    const set = (name: string, value: string | null) => form.set(prefix + name, value ?? '')
    set('id', passenger.id === undefined ? '' : String(passenger.id))
    set('who', passenger.user?.id ?? '')
    for (const name of ['guestName', 'seat', 'seatNumber', 'seatClass', 'flightReason'] as const) {
      set(name, passenger[name])
    }
    showValues(form, prefix, definitions, passenger.customFields, lookup)
  }
}

/** A row that was added and left as it was. */
function isBlank(form: URLSearchParams, prefix: string): boolean {
  const names = ['id', 'who', 'guestName', 'seat', 'seatNumber', 'seatClass', 'flightReason']
  return names.every((name) => fieldOf(form, prefix + name).trim() === '')
}

/** The travellers of a body, and the row of the form that each comes from. */
export async function readTravellers(
  reading: Reading,
  definitions: readonly CustomField[],
  stored: Flight | undefined,
): Promise<{ passengers: unknown[]; rows: number[] }> {
  const { form } = reading
  const passengers: unknown[] = []
  const rows: number[] = []
  for (let row = 0; row < rowsOf(form); row++) {
    const prefix = rowPrefix(row)
    if (form.has(`${prefix}remove`) || isBlank(form, prefix)) continue
    const id = Number(fieldOf(form, `${prefix}id`))
    const before = stored?.passengers.find((passenger) => passenger.id === id)
    const userId = fieldOf(form, `${prefix}who`) || null
    const guestName = fieldOf(form, `${prefix}guestName`).trim()
    if (userId === null && guestName === '') fault(reading, `${prefix}guestName`, 'Enter the name of the guest.')
    const orNull = (name: string) => fieldOf(form, prefix + name) || null
    rows.push(row)
    passengers.push({
      ...(id > 0 && { id }),
      userId,
      guestName: userId === null ? guestName : null,
      seat: orNull('seat'),
      seatNumber: readText(form, `${prefix}seatNumber`, before?.seatNumber),
      seatClass: orNull('seatClass'),
      flightReason: orNull('flightReason'),
      customFields: await readValues(reading, prefix, definitions, before?.customFields),
    })
  }
  if (passengers.length === 0) fault(reading, 'passengers', 'Somebody must be on the flight.')
  return { passengers, rows }
}
