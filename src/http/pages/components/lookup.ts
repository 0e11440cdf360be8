import type { Caller } from '../../../access/caller.ts'
import type { FlightService } from '../../../domain/flights/service.ts'
import { type Airline, type Airport, MAX_QUERY_LENGTH } from '../../../domain/reference/contract.ts'
import { plainFlightNumber, readingsOf } from '../../../domain/reference/flight-number.ts'
import type { Validity } from '../../../domain/reference/validity.ts'
import { countryName } from '../../../lib/english.ts'
import { fold, isWithinLength, words } from '../../../lib/text.ts'
import { forEachYielding } from '../../../lib/yield.ts'
import { fieldOf } from '../framework/form.ts'
import type { PageOptions } from '../framework/options.ts'
import type { PageTexts } from '../texts/languages.ts'

export type LookupKind = 'airport' | 'airline' | 'aircraft'

export interface Option {
  id: number
  /** The text of the field once it is chosen. */
  label: string
  codes: string
  /** Of an airport. */
  place?: { municipality: string | null; country: string }
  /** Shown as a word of the page. */
  note?: 'closed' | 'noCode' | 'until'
  /** The last year of an airline or airport that has ended. */
  until?: string
  zone?: string
}

type Found = Option | { options: Option[] } | undefined

/** A record of a search also has the days of existence. */
type Searched<Row> = Row & Partial<Validity>

const untilNote = ({ validUntil }: Partial<Validity>): Pick<Option, 'note' | 'until'> =>
  validUntil ? { note: 'until', until: validUntil.slice(0, 'YYYY'.length) } : {}

const listed = (...parts: (string | null | undefined)[]) => parts.filter(Boolean).join(', ')

function airportOption(airport: Searched<Airport>): Option {
  const { id, icao, iata, name, municipality, country, type, timezone } = airport
  return {
    id,
    label: `${iata ?? icao} – ${name}`,
    codes: listed(iata, icao),
    place: { municipality, country },
    ...(type === 'closed' && { note: 'closed' }),
    ...untilNote(airport),
    zone: timezone,
  }
}

/** Aircraft types have no IATA code. */
function namedOption({
  id,
  name,
  icao,
  iata = null,
  ...days
}: Pick<Airline, 'id' | 'name' | 'icao'> & Searched<Partial<Airline>>): Option {
  const code = iata ?? icao
  const codes = listed(iata, icao)
  return {
    id,
    label: code === null ? name : `${name} (${code})`,
    codes,
    ...(codes === '' && { note: 'noCode' }),
    ...untilNote(days),
  }
}

/** What distinguishes records of the same name. */
export const detailOf = ({ place, codes }: Option, { names }: PageTexts): string =>
  place ? `${listed(place.municipality, names.country(place.country))} · ${codes}` : codes

export type Lookup = ReturnType<typeof lookup>

const MAX_OPTIONS = 10
const MAX_OWN_OPTIONS = 5
const MAX_OWN_AIRPORTS = 1_000

async function ownAirports({ log }: FlightService, caller: Caller): Promise<Airport[]> {
  if (!caller.permissions.has('flight.read.own')) return []
  const uses = new Map<number, { airport: Airport; count: number }>()
  await forEachYielding(await log.routes(caller.userId), ({ from, to, count }) => {
    for (const airport of [from, to]) {
      const use = uses.get(airport.id) ?? { airport, count: 0 }
      use.count += count
      uses.set(airport.id, use)
    }
  })
  const ordered = [...uses.values()].sort((left, right) => right.count - left.count)
  return ordered.slice(0, MAX_OWN_AIRPORTS).map(({ airport }) => airport)
}

/** Whether every word of a text begins a word of the airport's codes, names or places. */
function beginsWords({ iata, icao, name, municipality, country }: Airport, text: string): boolean {
  const asked = words(fold(text))
  const known = words(fold([iata, icao, name, municipality, countryName(country)].join(' ')))
  return asked.length > 0 && asked.every((word) => known.some((each) => each.startsWith(word)))
}

type Sources = Pick<PageOptions, 'reference' | 'flights'>

export function lookup({ reference: { records, codes, ...reference }, flights }: Sources) {
  /** An exact code comes first, then airports of the caller's log, then all others. */
  async function searchAirports(caller: Caller, text: string): Promise<Option[]> {
    const found = await reference.airports.search(caller, text)
    const foundIds = new Set(found.map(({ id }) => id))
    const known = await ownAirports(flights, caller)
    const own = known.filter((each) => foundIds.has(each.id) || beginsWords(each, text))
    const options = found.map(airportOption)
    const exact = codes.airport(text.trim())
    const isCode = exact !== undefined && !isPlace(text, 'airport', options, exact)
    const first = isCode ? [kinds.airport.option(exact)!] : []
    const all = [...first, ...own.slice(0, MAX_OWN_OPTIONS).map(airportOption), ...options]
    return [...new Map(all.map((option) => [option.id, option])).values()].slice(0, MAX_OPTIONS)
  }

  const kinds = {
    airport: {
      search: searchAirports,
      option: (id: number) => map(records.airport(id), airportOption),
      exact: (text: string) => codes.airport(text),
    },
    airline: {
      search: async (caller: Caller, text: string) => (await reference.airlines.search(caller, text)).map(namedOption),
      option: (id: number) => map(records.airline(id), namedOption),
      exact: (text: string) =>
        codes.airline(text, 'icao') ?? codes.airline(text, 'iata') ?? codes.airline(text, 'name'),
    },
    aircraft: {
      search: async (caller: Caller, text: string) => (await reference.aircraft.search(caller, text)).map(namedOption),
      option: (id: number) => map(records.aircraft(id), namedOption),
      exact: (text: string) =>
        codes.aircraft(text, 'icao') ?? codes.aircraft(text, 'iata') ?? codes.aircraft(text, 'name'),
    },
  }

  /** Unless in capitals, a text may name a city whose name is also the code of another airport, such as Lima. */
  function isPlace(text: string, kind: LookupKind, options: readonly Option[], exact: number): boolean {
    if (kind !== 'airport' || text === text.toUpperCase()) return false
    return options.some(
      ({ id, place }) => id !== exact && fold(`${place?.municipality ?? ''},`).startsWith(`${fold(text)},`),
    )
  }

  async function find(caller: Caller, kind: LookupKind, text: string): Promise<Found> {
    if (!isWithinLength(text, MAX_QUERY_LENGTH)) return undefined
    const exact = kinds[kind].exact(text)
    const options = await kinds[kind].search(caller, text)
    if (exact !== undefined && !isPlace(text, kind, options, exact)) return kinds[kind].option(exact)
    if (options.length === 0) return undefined
    if (options.length === 1) return options[0]
    // The city comes before the airport that has its name as code.
    return { options: options.toSorted((a, b) => Number(a.id === exact) - Number(b.id === exact)) }
  }

  /** A choice is valid only for the text that it was made for. */
  function chosen(form: URLSearchParams, name: string, kind: LookupKind): Option | undefined {
    if (fieldOf(form, name) !== fieldOf(form, `${name}.asked`)) return undefined
    const id = Number(fieldOf(form, `${name}.id`))
    return Number.isSafeInteger(id) && id > 0 ? kinds[kind].option(id) : undefined
  }

  /** The airline whose code begins a flight number; longer codes take precedence. */
  function airlineOfNumber(number: string): Option | undefined {
    for (const { code } of readingsOf(plainFlightNumber(number) ?? '')) {
      const id = codes.airline(code, code.length === 3 ? 'icao' : 'iata')
      if (id !== undefined) return kinds.airline.option(id)
    }
    return undefined
  }

  return {
    airlineOfNumber,
    search: (caller: Caller, kind: LookupKind, text: string) => kinds[kind].search(caller, text),
    resolve: async (caller: Caller, form: URLSearchParams, name: string, kind: LookupKind): Promise<Found> =>
      chosen(form, name, kind) ?? (await find(caller, kind, fieldOf(form, name).trim())),
    option: (kind: LookupKind, id: number) => kinds[kind].option(id),
  }
}

const map = <Row, Result>(row: Row | undefined, to: (row: Row) => Result) => (row === undefined ? undefined : to(row))

export function preselect(form: URLSearchParams, name: string, [first]: readonly Option[]): void {
  form.set(`${name}.id`, String(first?.id ?? ''))
  form.set(`${name}.asked`, form.get(name) ?? '')
}

/** Fills a field as if the record had been chosen. */
export function fillLookup(form: URLSearchParams, name: string, { id, label }: Option): void {
  form.set(name, label)
  form.set(`${name}.id`, String(id))
  form.set(`${name}.asked`, label)
}
