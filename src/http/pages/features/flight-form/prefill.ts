import type { Caller } from '../../../../access/caller.ts'
import type { Flight, Passenger } from '../../../../domain/flights/contract.ts'
import { dayAfter, isCalendarDay } from '../../../../lib/dates.ts'
import { choose, type Lookup } from '../../components/lookup.ts'
import { defaultsOf, showValues } from './custom-values.ts'
import { type Definitions, shownFlight } from './flight.ts'
import { showTravellers } from './travellers.ts'

interface Parts {
  caller: Caller
  definitions: Definitions
  lookup: Lookup
}

/** Whom the form may name; undefined where it names nobody but the person. */
type MayName = ((userId: string) => boolean) | undefined

const noSeat = { guestName: null, seat: null, seatNumber: null, seatClass: null, flightReason: null }

export function emptyForm({ caller, definitions, lookup }: Parts, date?: unknown): URLSearchParams {
  const { userId, username, displayName } = caller
  const form = new URLSearchParams({ datePrecision: 'day' })
  if (typeof date === 'string' && isCalendarDay(date)) form.set('date', date)
  showValues(form, '', definitions.flight, defaultsOf(definitions.flight), lookup)
  const user = { id: userId, username, displayName }
  const me = { ...noSeat, user, customFields: defaultsOf(definitions.passenger) }
  showTravellers(form, [me], definitions.passenger, lookup)
  return form
}

/** The next flight of a journey: from where the last one ended, on the next day. */
export function formAfter(parts: Parts, { date, datePrecision, to }: Flight): URLSearchParams {
  const form = emptyForm(parts, datePrecision === 'day' ? dayAfter(date) : date)
  form.set('datePrecision', datePrecision)
  choose(form, 'from', parts.lookup.option('airport', to.id)!)
  return form
}

/** The company of a flight without their seats, which are others next time. */
function sameCompany(form: URLSearchParams, parts: Parts, flight: Flight, mayName: MayName): void {
  const { caller, definitions, lookup } = parts
  const isNamed = ({ user }: Passenger) => user === null || user.id === caller.userId || mayName?.(user.id)
  const company = mayName
    ? flight.passengers.filter(isNamed)
    : flight.passengers.filter(({ user }) => user?.id === caller.userId)
  if (company.length === 0) return
  const again = company.map(({ user, guestName, seat, seatClass, flightReason }) => ({
    ...{ user, guestName, seat, seatClass, flightReason, seatNumber: null },
    customFields: defaultsOf(definitions.passenger),
  }))
  showTravellers(form, again, definitions.passenger, lookup)
}

/** The way back: ends exchanged, with the same company and airline, on a day that is still to be told. */
export function formOfReturn(parts: Parts, flight: Flight, mayName: MayName): URLSearchParams {
  const { option } = parts.lookup
  const form = emptyForm(parts)
  choose(form, 'from', option('airport', flight.to.id)!)
  choose(form, 'to', option('airport', flight.from.id)!)
  if (flight.airline) choose(form, 'airline', option('airline', flight.airline.id)!)
  sameCompany(form, parts, flight, mayName)
  return form
}

/** What belongs to one day and one aeroplane, and is not the same on another. */
const ofThatDay =
  /\.day$|^(date|datePrecision|duration|note|aircraftReg|version)$|Gate$|Actual\.clock$|^(passengers\.|rows$|first$)|^customFields\./

/** The same flight on another day: number, ends, clocks, airline and type, with the same company. */
export function formOfCopy(parts: Parts, flight: Flight, mayName: MayName): URLSearchParams {
  const form = emptyForm(parts)
  const before = shownFlight(flight, parts.definitions, parts.lookup, 0)
  for (const [name, value] of before) if (!ofThatDay.test(name)) form.set(name, value)
  sameCompany(form, parts, flight, mayName)
  return form
}
