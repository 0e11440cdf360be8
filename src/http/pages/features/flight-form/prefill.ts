import type { Caller } from '../../../../access/caller.ts'
import type { Flight } from '../../../../domain/flights/contract.ts'
import { dayAfter, isCalendarDay } from '../../../../lib/dates.ts'
import { fillLookup, type Lookup } from '../../components/lookup.ts'
import { defaultsOf, showCustomValues } from './custom-fields.tsx'
import { type Definitions, formOfFlight } from './flight.ts'
import { showPassengers } from './passengers.tsx'

interface Sources {
  caller: Caller
  definitions: Definitions
  lookup: Lookup
}

/** Whether the user may add another user; undefined if they may add no other passengers. */
type CanAdd = ((userId: string) => boolean) | undefined

const noSeat = { guestName: null, seat: null, seatNumber: null, seatClass: null, flightReason: null }

export function emptyForm({ caller, definitions, lookup }: Sources, date?: unknown): URLSearchParams {
  const { userId, username, displayName } = caller
  const form = new URLSearchParams({ datePrecision: 'day' })
  if (typeof date === 'string' && isCalendarDay(date)) form.set('date', date)
  showCustomValues(form, '', definitions.flight, defaultsOf(definitions.flight), lookup)
  const user = { id: userId, username, displayName }
  const me = { ...noSeat, user, customFields: defaultsOf(definitions.passenger) }
  showPassengers(form, [me], definitions.passenger, lookup)
  return form
}

/** The next flight of a journey: from the last destination, on the next day. */
export function formAfter(sources: Sources, { date, datePrecision, to }: Flight): URLSearchParams {
  const form = emptyForm(sources, datePrecision === 'day' ? dayAfter(date) : date)
  form.set('datePrecision', datePrecision)
  fillLookup(form, 'from', sources.lookup.option('airport', to.id)!)
  return form
}

/** Copies the passengers without their seat numbers. */
function copyPassengers(form: URLSearchParams, sources: Sources, flight: Flight, canAdd: CanAdd): void {
  const { caller, definitions, lookup } = sources
  const passengers = flight.passengers
    .filter(({ user }) => user?.id === caller.userId || (canAdd && (user === null || canAdd(user.id))))
    .map(({ user, guestName, seat, seatClass, flightReason }) => ({
      ...{ user, guestName, seat, seatClass, flightReason, seatNumber: null },
      customFields: defaultsOf(definitions.passenger),
    }))
  if (passengers.length > 0) showPassengers(form, passengers, definitions.passenger, lookup)
}

export function formOfReturn(sources: Sources, flight: Flight, canAdd: CanAdd): URLSearchParams {
  const { option } = sources.lookup
  const form = emptyForm(sources)
  fillLookup(form, 'from', option('airport', flight.to.id)!)
  fillLookup(form, 'to', option('airport', flight.from.id)!)
  if (flight.airline) fillLookup(form, 'airline', option('airline', flight.airline.id)!)
  copyPassengers(form, sources, flight, canAdd)
  return form
}

/** Fields of one day, aircraft or passenger. */
const notCopied =
  /\.day$|^(date|datePrecision|duration|note|aircraftReg|version)$|Gate$|Actual\.clock$|^(passengers\.|rows$|first$)|^customFields\./

export function formOfCopy(sources: Sources, flight: Flight, canAdd: CanAdd): URLSearchParams {
  const form = emptyForm(sources)
  for (const [name, value] of formOfFlight(flight, sources.definitions, sources.lookup, 0)) {
    if (!notCopied.test(name)) form.set(name, value)
  }
  copyPassengers(form, sources, flight, canAdd)
  return form
}
