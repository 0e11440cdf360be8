import type { Caller } from '../../../../access/caller.ts'
import { type Aircraft, type Airline, type Airport, codeOf } from '../../../../domain/reference/contract.ts'
import type { PageContext } from '../../framework/context.ts'
import type { Formats } from '../../framework/formats.ts'
import type { Option } from '../../framework/forms.ts'
import type { Visit } from '../../framework/signed-in.ts'
import type { PageTexts } from '../../texts/languages.ts'
import { classOptions, reasonOptions, seatOptions } from '../seat.ts'
import { type FilterName, type PageFilter, readPageFilter } from './filter.ts'

export interface ShownFilter extends PageFilter {
  /** Newest first. */
  years: readonly string[]
  choices: Readonly<Partial<Record<FilterName, readonly Option[]>>>
  chips: readonly { label: string; without: string }[]
}

const named = (name: string, code: string | null) => (code === null ? name : `${name} (${code})`)
const airportLabel = (airport?: Airport) => airport && `${codeOf(airport)} ${airport.municipality ?? airport.name}`
const airlineLabel = (airline?: Airline) => airline && named(airline.name, codeOf(airline))
const aircraftLabel = (aircraft?: Aircraft) => aircraft && named(aircraft.name, aircraft.icao)

/** Replaces the empty option of a form. */
const withUnknown = ([_empty, ...options]: readonly Option[], { filter }: PageTexts) => [
  ...options,
  { value: 'none', label: filter.unknown },
]

/** The trips of the user, newest first. */
export const tripChoices = ({ choices }: ShownFilter): readonly Option[] =>
  (choices.tripId ?? []).filter(({ value }) => value !== 'none')

const fixedChoices = (texts: PageTexts): ShownFilter['choices'] => ({
  seat: withUnknown(seatOptions(texts), texts),
  seatClass: withUnknown(classOptions(texts), texts),
  flightReason: withUnknown(reasonOptions(texts), texts),
  hasTrack: [
    { value: 'true', label: texts.filter.tracks.true },
    { value: 'false', label: texts.filter.tracks.false },
  ],
  completed: [
    { value: 'true', label: texts.filter.statuses.true },
    { value: 'false', label: texts.filter.statuses.false },
  ],
})

type Services = Pick<PageContext, 'flights' | 'trips' | 'reference'>

export function filterBar({ flights, trips, reference: { records } }: Services) {
  function optionsOf(ids: readonly number[], labelOf: (id: number) => string | undefined, { names }: PageTexts) {
    const options = ids.map((id) => ({ value: String(id), label: labelOf(id) ?? String(id) }))
    return options.sort((a, b) => names.compare(a.label, b.label))
  }

  async function choicesOf(caller: Caller, texts: PageTexts) {
    const { years, ...log } = await flights.filterChoices(caller)
    const { airport, airline, aircraft } = records.batch({
      airports: new Set([...log.fromIds, ...log.toIds]),
      airlines: new Set(log.airlineIds),
      aircraft: new Set(log.aircraftIds),
    })
    const none = { value: 'none', label: texts.filter.none }
    const tripNames = trips.names(caller).map(({ id, name }) => ({ value: String(id), label: name }))
    const choices: ShownFilter['choices'] = {
      ...fixedChoices(texts),
      fromId: optionsOf(log.fromIds, (id) => airportLabel(airport(id)), texts),
      toId: optionsOf(log.toIds, (id) => airportLabel(airport(id)), texts),
      airlineId: [...optionsOf(log.airlineIds, (id) => airlineLabel(airline(id)), texts), none],
      aircraftId: [...optionsOf(log.aircraftIds, (id) => aircraftLabel(aircraft(id)), texts), none],
      tripId: tripNames.length > 0 ? [...tripNames, none] : [],
      companion: log.companions.map(({ id, displayName }) => ({ value: id, label: displayName })),
    }
    return { years, choices }
  }

  function chipOf(
    { name, value }: PageFilter['active'][number],
    choices: ShownFilter['choices'],
    formats: Formats,
    { filter: t, names }: PageTexts,
  ): string {
    const chosen = choices[name]?.find((option) => option.value === value)?.label
    const id = Number(value)
    const airport = airportLabel(records.airport(id))
    const words: Record<FilterName, () => string> = {
      year: () => value,
      text: () => t.text({ text: value }),
      dateFrom: () => t.since({ day: formats.day(value) }),
      dateTo: () => t.until({ day: formats.day(value) }),
      airportId: () => airport ?? t.unknownAirport,
      fromId: () => (airport ? t.from({ airport }) : t.fromUnknown),
      toId: () => (airport ? t.to({ airport }) : t.toUnknown),
      country: () => names.country(value),
      airlineId: () => (value === 'none' ? t.noAirline : (airlineLabel(records.airline(id)) ?? t.unknownAirline)),
      aircraftId: () => (value === 'none' ? t.noType : (aircraftLabel(records.aircraft(id)) ?? t.unknownType)),
      tripId: () => (value === 'none' ? t.noTrip : t.trip({ name: chosen ?? t.unknownTrip })),
      flightNumber: () => t.flight({ number: value }),
      aircraftReg: () => t.registration({ registration: value }),
      seat: () => t.seat({ seat: chosen ?? value }),
      seatClass: () => t.seatClass({ seatClass: chosen ?? value }),
      flightReason: () => t.reason({ reason: chosen ?? value }),
      companion: () => (chosen ? t.with({ person: chosen }) : t.withUnknown),
      completed: () => chosen ?? value,
      hasTrack: () => chosen ?? value,
    }
    return words[name]()
  }

  return async function readFilter(
    { caller, request, formats, texts }: Visit,
    { onlyFlown = false } = {},
  ): Promise<ShownFilter> {
    const filter = readPageFilter(request.query)
    const { years: all, choices } = await choicesOf(caller, texts)
    // Pages about flown flights do not offer years in which all flights are planned.
    const years = onlyFlown ? (await flights.selected(caller, {})).years.map(({ year }) => year) : all
    const chips = filter.active.map((active) => ({
      label: chipOf(active, choices, formats, texts),
      without: active.without,
    }))
    return { ...filter, years, choices, chips }
  }
}
