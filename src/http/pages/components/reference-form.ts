import type { ZodType } from 'zod'
import type { Permission } from '../../../access/permissions.ts'
import {
  type Aircraft,
  AircraftWrite,
  type Airline,
  AirlineWrite,
  type Airport,
  AirportWrite,
  airportTypes,
} from '../../../domain/reference/contract.ts'
import { continentOf, countryCodes, isCountry } from '../../../domain/reference/countries.ts'
import { continentNames, countryName } from '../../../lib/english.ts'
import { compareTexts } from '../../../lib/text.ts'
import { type Faults, type FieldSpecs, formSpecs, type Option, type Typed } from '../framework/forms.ts'
import type { LookupKind } from './lookup.ts'

/** `small_airport` is labelled “Small airport”. */
const typeLabel = (type: string) => `${type[0]!.toUpperCase()}${type.slice(1).replace('_', ' ')}`

const name = { id: 'name', label: 'Name', required: true, maxLength: 200 } as const

const airportSpecs = formSpecs({
  name,
  icao: {
    id: 'icao',
    label: 'ICAO or local code',
    hint: '2 to 8 letters, digits or hyphens. Must be unique.',
    required: true,
    maxLength: 8,
    verbatim: true,
  },
  iata: { id: 'iata', label: 'IATA code', hint: '3 letters or digits. Optional.', maxLength: 3, verbatim: true },
  municipality: { id: 'municipality', label: 'City', maxLength: 200 },
  country: { id: 'country', label: 'Country', kind: 'select' },
  continent: {
    id: 'continent',
    label: 'Continent',
    kind: 'select',
    options: [
      { value: '', label: 'Same as the country' },
      ...Object.entries(continentNames).map(([value, label]) => ({ value, label })),
    ],
  },
  latitude: { id: 'latitude', label: 'Latitude', hint: 'In degrees, such as 47.458.', type: 'number', required: true },
  longitude: { id: 'longitude', label: 'Longitude', hint: 'West is negative.', type: 'number', required: true },
  timezone: {
    id: 'timezone',
    label: 'Time zone',
    hint: 'IANA name, such as Europe/Zurich.',
    required: true,
    maxLength: 64,
    verbatim: true,
  },
  type: {
    id: 'type',
    label: 'Type',
    kind: 'select',
    options: airportTypes.map((value) => ({ value, label: typeLabel(value) })),
  },
})

const airlineSpecs = formSpecs({
  name,
  icao: { id: 'icao', label: 'ICAO code', hint: 'Up to 3 letters or digits.', maxLength: 3, verbatim: true },
  iata: { id: 'iata', label: 'IATA code', hint: '2 letters or digits.', maxLength: 3, verbatim: true },
})

const aircraftSpecs = formSpecs({
  name,
  icao: {
    id: 'icao',
    label: 'ICAO code',
    hint: '2 to 4 letters or digits, such as A359.',
    maxLength: 4,
    verbatim: true,
  },
})

export interface ReferenceKind<Specs extends FieldSpecs, Row, Write> {
  lookup: LookupKind
  title: string
  noun: string
  permission: Permission
  specs: Specs
  schema: ZodType<Write>
  unique: string
  entriesOf: (row: Row) => Typed<Specs>
  bodyOf: (typed: Typed<Specs>) => unknown
  faultsOf: (typed: Typed<Specs>) => Faults
}

const orNull = (text: string) => text.trim() || null

const NOT_DEGREES = 'Must be a number of degrees, such as 47.458.'

/** Accepts a decimal comma. */
const degrees = (text: string) => (text.trim() === '' ? undefined : Number(text.trim().replace(',', '.')))

const airports: ReferenceKind<typeof airportSpecs, Airport, AirportWrite> = {
  lookup: 'airport',
  title: 'Airports',
  noun: 'airport',
  permission: 'data.airports.manage',
  specs: airportSpecs,
  schema: AirportWrite,
  unique: 'icao',
  entriesOf: (row) => ({
    name: row.name,
    icao: row.icao,
    iata: row.iata ?? '',
    municipality: row.municipality ?? '',
    country: row.country,
    continent: isCountry(row.country) && continentOf(row.country) === row.continent ? '' : row.continent,
    latitude: String(row.latitude),
    longitude: String(row.longitude),
    timezone: row.timezone,
    type: row.type,
  }),
  bodyOf: (typed) => ({
    icao: typed.icao.trim(),
    iata: orNull(typed.iata),
    name: typed.name,
    municipality: orNull(typed.municipality),
    latitude: degrees(typed.latitude),
    longitude: degrees(typed.longitude),
    timezone: typed.timezone.trim(),
    type: typed.type || undefined,
    continent: typed.continent || (isCountry(typed.country) ? continentOf(typed.country) : undefined),
    country: typed.country,
  }),
  faultsOf: (typed) => ({
    ...(typed.country === '' && { country: 'Choose a country.', continent: 'Choose the country first.' }),
    ...(!Number.isFinite(degrees(typed.latitude)) && { latitude: NOT_DEGREES }),
    ...(!Number.isFinite(degrees(typed.longitude)) && { longitude: NOT_DEGREES }),
  }),
}

const airlines: ReferenceKind<typeof airlineSpecs, Airline, AirlineWrite> = {
  lookup: 'airline',
  title: 'Airlines',
  noun: 'airline',
  permission: 'data.airlines.manage',
  specs: airlineSpecs,
  schema: AirlineWrite,
  unique: 'name',
  entriesOf: (row) => ({ name: row.name, icao: row.icao ?? '', iata: row.iata ?? '' }),
  bodyOf: (typed) => ({ name: typed.name, icao: orNull(typed.icao), iata: orNull(typed.iata) }),
  faultsOf: () => ({}),
}

const aircraft: ReferenceKind<typeof aircraftSpecs, Aircraft, AircraftWrite> = {
  lookup: 'aircraft',
  title: 'Aircraft types',
  noun: 'aircraft type',
  permission: 'data.aircraft.manage',
  specs: aircraftSpecs,
  schema: AircraftWrite,
  unique: 'name',
  entriesOf: (row) => ({ name: row.name, icao: row.icao ?? '' }),
  bodyOf: (typed) => ({ name: typed.name, icao: orNull(typed.icao) }),
  faultsOf: () => ({}),
}

export const referenceKinds = { airports, airlines, aircraft }
export type ReferenceKindName = keyof typeof referenceKinds

let countries: Option[] | undefined

/** Cached, because Intl.DisplayNames is slow. */
export function countryOptions(): readonly Option[] {
  countries ??= [
    { value: '', label: 'Choose one' },
    ...countryCodes
      .map((value) => ({ value, label: countryName(value) ?? value }))
      .sort((a, b) => compareTexts(a.label, b.label)),
  ]
  return countries
}
