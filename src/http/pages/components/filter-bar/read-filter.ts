import type { Caller } from '../../../../access/caller.ts'
import { type Aircraft, type Airline, type Airport, codeOf } from '../../../../domain/reference/contract.ts'
import { countryName } from '../../../../lib/english.ts'
import { compareTexts } from '../../../../lib/text.ts'
import type { PageContext } from '../../framework/context.ts'
import type { Formats } from '../../framework/formats.ts'
import type { Option } from '../../framework/forms.ts'
import type { Visit } from '../../framework/signed-in.ts'
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
const withUnknown = ([_empty, ...options]: readonly Option[]) => [...options, { value: 'none', label: 'Unknown' }]

const fixed: ShownFilter['choices'] = {
  seat: withUnknown(seatOptions),
  seatClass: withUnknown(classOptions),
  flightReason: withUnknown(reasonOptions),
  hasTrack: [
    { value: 'true', label: 'With a track' },
    { value: 'false', label: 'Without a track' },
  ],
  completed: [
    { value: 'true', label: 'Flown' },
    { value: 'false', label: 'Planned' },
  ],
}

export function filterBar({ flights, reference: { records } }: Pick<PageContext, 'flights' | 'reference'>) {
  function optionsOf(ids: readonly number[], labelOf: (id: number) => string | undefined): Option[] {
    const options = ids.map((id) => ({ value: String(id), label: labelOf(id) ?? String(id) }))
    return options.sort((a, b) => compareTexts(a.label, b.label))
  }

  async function choicesOf(caller: Caller) {
    const { years, ...log } = await flights.filterChoices(caller)
    const { airport, airline, aircraft } = records.batch({
      airports: new Set([...log.fromIds, ...log.toIds]),
      airlines: new Set(log.airlineIds),
      aircraft: new Set(log.aircraftIds),
    })
    const none = { value: 'none', label: 'None' }
    const choices: ShownFilter['choices'] = {
      ...fixed,
      fromId: optionsOf(log.fromIds, (id) => airportLabel(airport(id))),
      toId: optionsOf(log.toIds, (id) => airportLabel(airport(id))),
      airlineId: [...optionsOf(log.airlineIds, (id) => airlineLabel(airline(id))), none],
      aircraftId: [...optionsOf(log.aircraftIds, (id) => aircraftLabel(aircraft(id))), none],
      companion: log.companions.map(({ id, displayName }) => ({ value: id, label: displayName })),
    }
    return { years, choices }
  }

  function chipOf(name: FilterName, value: string, choices: ShownFilter['choices'], formats: Formats): string {
    const chosen = choices[name]?.find((option) => option.value === value)?.label
    const id = Number(value)
    const words: Record<FilterName, () => string> = {
      year: () => value,
      text: () => `“${value}”`,
      dateFrom: () => `Since ${formats.day(value)}`,
      dateTo: () => `Until ${formats.day(value)}`,
      airportId: () => airportLabel(records.airport(id)) ?? 'Unknown airport',
      fromId: () => `From ${airportLabel(records.airport(id)) ?? 'unknown airport'}`,
      toId: () => `To ${airportLabel(records.airport(id)) ?? 'unknown airport'}`,
      country: () => countryName(value) ?? value,
      airlineId: () => (value === 'none' ? 'No airline' : (airlineLabel(records.airline(id)) ?? 'Unknown airline')),
      aircraftId: () => (value === 'none' ? 'No type' : (aircraftLabel(records.aircraft(id)) ?? 'Unknown type')),
      flightNumber: () => `Flight ${value}`,
      aircraftReg: () => `Registration ${value}`,
      seat: () => `Seat: ${chosen}`,
      seatClass: () => `Class: ${chosen}`,
      flightReason: () => `Reason: ${chosen}`,
      companion: () => `With ${chosen ?? 'unknown person'}`,
      completed: () => chosen ?? value,
      hasTrack: () => chosen ?? value,
    }
    return words[name]()
  }

  return async function readFilter(
    { caller, request, formats }: Visit,
    { onlyFlown = false } = {},
  ): Promise<ShownFilter> {
    const filter = readPageFilter(request.query)
    const { years: all, choices } = await choicesOf(caller)
    // Pages about flown flights do not offer years in which all flights are planned.
    const years = onlyFlown ? (await flights.selected(caller, {})).years.map(({ year }) => year) : all
    const chips = filter.active.map(({ name, value, without }) => ({
      label: chipOf(name, value, choices, formats),
      without,
    }))
    return { ...filter, years, choices, chips }
  }
}
