import type { Caller } from '../../../../access/caller.ts'
import { codeOf, type Records } from '../../../../domain/reference/contract.ts'
import { countryName } from '../../../../lib/english.ts'
import { compareTexts } from '../../../../lib/text.ts'
import type { PageContext } from '../../framework/context.ts'
import type { Formats } from '../../framework/formats.ts'
import type { Option } from '../../framework/forms.ts'
import type { Visit } from '../../framework/signed-in.ts'
import { classOptions, reasonOptions, seatOptions } from '../seat.ts'
import { type FilterName, type PageFilter, readPageFilter } from './filter.ts'

/** The choices of the bar, and the active filter. */
export interface ShownFilter extends PageFilter {
  /** Newest first. */
  years: readonly string[]
  choices: Readonly<Partial<Record<FilterName, readonly Option[]>>>
  /** The active filters as labels, each with the query that clears it. */
  chips: readonly { label: string; without: string }[]
}

const named = (name: string, code: string | null) => (code === null ? name : `${name} (${code})`)
const given = (options: readonly Option[]) => options.filter(({ value }) => value !== '')
const byLabel = (a: Option, b: Option) => compareTexts(a.label, b.label)

const fixed: ShownFilter['choices'] = {
  seat: [...given(seatOptions), { value: 'none', label: 'Not known' }],
  seatClass: [...given(classOptions), { value: 'none', label: 'Not known' }],
  flightReason: [...given(reasonOptions), { value: 'none', label: 'Not known' }],
  hasTrack: [
    { value: 'true', label: 'With a track' },
    { value: 'false', label: 'Without a track' },
  ],
  completed: [
    { value: 'true', label: 'Flown' },
    { value: 'false', label: 'Planned' },
  ],
}

/** The filter bar of pages about flights: `const shown = await readFilter(visit)`. */
export function filterBar({ flights, reference }: Pick<PageContext, 'flights' | 'reference'>) {
  const labelsOf = (records: Records) => ({
    airport: (id: number) => {
      const airport = records.airport(id)
      return airport && `${codeOf(airport)} ${airport.municipality ?? airport.name}`
    },
    airline: (id: number) => {
      const airline = records.airline(id)
      return airline && named(airline.name, codeOf(airline))
    },
    aircraft: (id: number) => {
      const aircraft = records.aircraft(id)
      return aircraft && named(aircraft.name, aircraft.icao)
    },
  })
  const labelled = labelsOf(reference.records)

  function optionsOf(ids: readonly number[], labelOf: (id: number) => string | undefined): Option[] {
    const options = ids.map((id) => ({ value: String(id), label: labelOf(id) ?? String(id) }))
    return options.sort(byLabel)
  }

  async function choicesOf(caller: Caller) {
    const { years, ...log } = await flights.filterChoices(caller)
    const labels = labelsOf(
      reference.records.batch({
        airports: new Set([...log.fromIds, ...log.toIds]),
        airlines: new Set(log.airlineIds),
        aircraft: new Set(log.aircraftIds),
      }),
    )
    const none = { value: 'none', label: 'None' }
    const choices: ShownFilter['choices'] = {
      ...fixed,
      fromId: optionsOf(log.fromIds, labels.airport),
      toId: optionsOf(log.toIds, labels.airport),
      airlineId: [...optionsOf(log.airlineIds, labels.airline), none],
      aircraftId: [...optionsOf(log.aircraftIds, labels.aircraft), none],
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
      airportId: () => labelled.airport(id) ?? 'An airport that does not exist',
      fromId: () => `From ${labelled.airport(id) ?? 'an airport that does not exist'}`,
      toId: () => `To ${labelled.airport(id) ?? 'an airport that does not exist'}`,
      country: () => countryName(value) ?? value,
      airlineId: () => (value === 'none' ? 'No airline' : (labelled.airline(id) ?? 'An airline that does not exist')),
      aircraftId: () => (value === 'none' ? 'No type' : (labelled.aircraft(id) ?? 'A type that does not exist')),
      flightNumber: () => `Flight ${value}`,
      aircraftReg: () => `Registration ${value}`,
      seat: () => `Seat: ${chosen}`,
      seatClass: () => `Class: ${chosen}`,
      flightReason: () => `Reason: ${chosen}`,
      companion: () => `With ${chosen ?? 'somebody who was never aboard'}`,
      completed: () => chosen ?? value,
      hasTrack: () => chosen ?? value,
    }
    return words[name]()
  }

  /** Pages about flown flights do not offer years in which all flights are planned. */
  async function yearsOf(caller: Caller, all: readonly string[], onlyFlown: boolean): Promise<readonly string[]> {
    if (!onlyFlown) return all
    return (await flights.selected(caller, {})).years.map(({ year }) => year)
  }

  return async function readFilter(
    { caller, request, formats }: Visit,
    { onlyFlown = false } = {},
  ): Promise<ShownFilter> {
    const filter = readPageFilter(request.query)
    const { years: all, choices } = await choicesOf(caller)
    const years = await yearsOf(caller, all, onlyFlown)
    const chips = filter.active.map(({ name, value, without }) => ({
      label: chipOf(name, value, choices, formats),
      without,
    }))
    return { ...filter, years, choices, chips }
  }
}
