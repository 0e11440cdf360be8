import type { Caller } from '../../../access/caller.ts'
import type { FlightService } from '../../../domain/flights/service.ts'
import { type Aircraft, type Airline, type Airport, MAX_QUERY_LENGTH } from '../../../domain/reference/contract.ts'
import { plainFlightNumber, readingsOf } from '../../../domain/reference/flight-number.ts'
import type { ReferenceService } from '../../../domain/reference/service.ts'
import { countryName } from '../../../lib/english.ts'
import { fold, isWithinLength } from '../../../lib/text.ts'
import { fieldOf } from '../framework/form.ts'
import { beginsWords, ownAirports } from './own-airports.ts'

export type LookupKind = 'airport' | 'airline' | 'aircraft'

/** A record as people choose it: what the field then shows, and what tells it from others. */
export interface Option {
  id: number
  label: string
  detail: string
  /** Of an airport. */
  zone?: string
}

type Found = Option | { options: Option[] } | undefined

const listed = (...words: (string | null | undefined)[]) => words.filter(Boolean).join(', ')

function airportOption({ id, icao, iata, name, municipality, country, type, timezone }: Airport): Option {
  const place = listed(municipality, countryName(country))
  const codes = listed(iata, icao, type === 'closed' ? 'closed' : null)
  return { id, label: `${iata ?? icao} – ${name}`, detail: `${place} · ${codes}`, zone: timezone }
}

function carrierOption({ id, name, icao, iata }: Airline): Option {
  const code = iata ?? icao
  return { id, label: code === null ? name : `${name} (${code})`, detail: listed(iata, icao) || 'no code' }
}

const typeOption = ({ id, name, icao }: Aircraft): Option => ({
  id,
  label: icao === null ? name : `${name} (${icao})`,
  detail: icao ?? 'no code',
})

export type Lookup = ReturnType<typeof lookup>

const MOST_OPTIONS = 10
const MOST_OWN = 5

interface Sources {
  reference: ReferenceService
  flights: FlightService
}

/** Finds what people type into a field for an airport, an airline or an aircraft type. */
export function lookup({ reference: { records, codes, ...reference }, flights }: Sources) {
  /** What is spelt like a code comes first, then airports of one's own log, then all others. */
  async function searchAirports(caller: Caller, text: string): Promise<Option[]> {
    const found = await reference.airports.search(caller, text)
    const isFound = new Set(found.map(({ id }) => id))
    const known = await ownAirports(flights, caller)
    const own = known.filter((each) => isFound.has(each.id) || beginsWords(each, text))
    const options = found.map(airportOption)
    const exact = codes.airport(text.trim())
    const isCode = exact !== undefined && !isPlace(text, 'airport', options, exact)
    const first = isCode ? [kinds.airport.option(exact)!] : []
    const all = [...first, ...own.slice(0, MOST_OWN).map(airportOption), ...options]
    return [...new Map(all.map((option) => [option.id, option])).values()].slice(0, MOST_OPTIONS)
  }

  const kinds = {
    airport: {
      search: searchAirports,
      option: (id: number) => map(records.airport(id), airportOption),
      exact: (text: string) => codes.airport(text),
    },
    airline: {
      search: async (caller: Caller, text: string) =>
        (await reference.airlines.search(caller, text)).map(carrierOption),
      option: (id: number) => map(records.airline(id), carrierOption),
      exact: (text: string) =>
        codes.airline(text, 'icao') ?? codes.airline(text, 'iata') ?? codes.airline(text, 'name'),
    },
    aircraft: {
      search: async (caller: Caller, text: string) => (await reference.aircraft.search(caller, text)).map(typeOption),
      option: (id: number) => map(records.aircraft(id), typeOption),
      exact: (text: string) =>
        codes.aircraft(text, 'icao') ?? codes.aircraft(text, 'iata') ?? codes.aircraft(text, 'name'),
    },
  }

  /** A city may be spelt like the code of a field elsewhere: Lima is one. Written small, it is asked back. */
  function isPlace(text: string, kind: LookupKind, options: readonly Option[], exact: number): boolean {
    if (kind !== 'airport' || text === text.toUpperCase()) return false
    return options.some(({ id, detail }) => id !== exact && fold(detail).startsWith(`${fold(text)},`))
  }

  async function find(caller: Caller, kind: LookupKind, text: string): Promise<Found> {
    if (!isWithinLength(text, MAX_QUERY_LENGTH)) return undefined
    const exact = kinds[kind].exact(text)
    const options = await kinds[kind].search(caller, text)
    if (exact !== undefined && !isPlace(text, kind, options, exact)) return kinds[kind].option(exact)
    if (options.length === 0) return undefined
    return options.length === 1 ? options[0] : { options: lastly(options, exact) }
  }

  /** A choice counts only for the text that it was made for. */
  function chosen(form: URLSearchParams, name: string, kind: LookupKind): Option | undefined {
    if (fieldOf(form, name) !== fieldOf(form, `${name}.asked`)) return undefined
    const id = Number(fieldOf(form, `${name}.id`))
    return Number.isSafeInteger(id) && id > 0 ? kinds[kind].option(id) : undefined
  }

  /** The airline whose code begins a flight number; the longest code counts. */
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
    /** What the field stands for: one record, several that it may mean, or nothing that is known. */
    resolve: async (caller: Caller, form: URLSearchParams, name: string, kind: LookupKind): Promise<Found> =>
      chosen(form, name, kind) ?? (await find(caller, kind, fieldOf(form, name).trim())),
    option: (kind: LookupKind, id: number) => kinds[kind].option(id),
  }
}

/** The city that the text names comes before the field whose code it also is. */
const lastly = (options: readonly Option[], exact: number | undefined) =>
  options.toSorted((a, b) => Number(a.id === exact) - Number(b.id === exact))

const map = <Row, Result>(row: Row | undefined, to: (row: Row) => Result) => (row === undefined ? undefined : to(row))

/** Shows the first of several as chosen, for the text that was typed. */
export function offer(form: URLSearchParams, name: string, [first]: readonly Option[]): void {
  form.set(`${name}.id`, String(first?.id ?? ''))
  form.set(`${name}.asked`, form.get(name) ?? '')
}

/** Fills a field with a record, as if it had been chosen there. */
export function choose(form: URLSearchParams, name: string, { id, label }: Option): void {
  form.set(name, label)
  form.set(`${name}.id`, String(id))
  form.set(`${name}.asked`, label)
}
