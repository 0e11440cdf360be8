import type { CustomField } from '../../../../domain/custom-fields/contract.ts'
import type { Flight, Passenger } from '../../../../domain/flights/contract.ts'
import type { Lookup } from '../../components/lookup.ts'
import { fieldOf } from '../../framework/form.ts'
import { readValues, showValues } from './custom-values.ts'
import { fault, type Reading, readText } from './reading.ts'

/** Of a larger company the form shows a part; whoever is not in the form stays on the flight as they are. */
export const SHOWN_AT_ONCE = 20
/** The people of a part, and as many that are added to them. */
export const MOST_ROWS = 2 * SHOWN_AT_ONCE

export const rowPrefix = (row: number): string => `passengers.${row}.`

const countIn = (form: URLSearchParams, name: string) => Math.max(Math.trunc(Number(fieldOf(form, name))) || 0, 0)

export const rowsOf = (form: URLSearchParams): number => Math.min(countIn(form, 'rows'), MOST_ROWS)

/** How many people stand before those of the form. */
export const firstOf = (form: URLSearchParams): number => countIn(form, 'first')

type Shown = Pick<Passenger, 'user' | 'guestName' | 'seat' | 'seatNumber' | 'seatClass' | 'flightReason'> & {
  id?: number
  customFields: Record<string, unknown>
}

export function showTravellers(
  form: URLSearchParams,
  passengers: readonly Shown[],
  definitions: readonly CustomField[],
  lookup: Lookup,
  first = 0,
): void {
  const part = passengers.slice(first, first + SHOWN_AT_ONCE)
  form.set('first', String(first))
  form.set('rows', String(part.length))
  for (const [row, passenger] of part.entries()) {
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

/** Those on a stored flight whom the form does not have, be it too long a list or that they were added meanwhile. */
export function notInForm(form: URLSearchParams, stored: Flight | undefined): Passenger[] {
  const named = new Set(Array.from({ length: rowsOf(form) }, (_, row) => Number(fieldOf(form, `${rowPrefix(row)}id`))))
  return stored?.passengers.filter(({ id }) => !named.has(id)) ?? []
}

const unchanged = ({ id, user, guestName, seat, seatNumber, seatClass, flightReason }: Passenger) => ({
  id,
  userId: user?.id ?? null,
  guestName,
  seat,
  seatNumber,
  seatClass,
  flightReason,
})

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
  if (countIn(form, 'rows') > MOST_ROWS) fault(reading, 'passengers', `A form takes at most ${MOST_ROWS} people.`)
  passengers.push(...notInForm(form, stored).map(unchanged))
  if (passengers.length === 0) fault(reading, 'passengers', 'Somebody must be on the flight.')
  return { passengers, rows }
}
