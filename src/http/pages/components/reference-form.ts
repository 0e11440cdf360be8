import type { ZodType } from 'zod'
import type { Permission } from '../../../access/permissions.ts'
import {
  type Aircraft,
  AircraftWrite,
  type AirlineDetails,
  AirlineWrite,
  type AirportDetails,
  AirportWrite,
  airportTypes,
} from '../../../domain/reference/contract.ts'
import { continentOf, countryCodes, isCountry } from '../../../domain/reference/countries.ts'
import type { Validity } from '../../../domain/reference/validity.ts'
import { type FieldErrors, type FieldSpecs, type FormValues, formSpecs, type Option } from '../framework/forms.ts'
import type { PageTexts } from '../texts/languages.ts'
import type { LookupKind } from './lookup.ts'

const name = { id: 'name', label: (t: PageTexts) => t.referenceForm.name, required: true, maxLength: 200 } as const

const validitySpecs = {
  validFrom: {
    id: 'validFrom',
    label: (t: PageTexts) => t.referenceForm.validFrom,
    hint: (t: PageTexts) => t.referenceForm.validFromHint,
    type: 'date',
  },
  validUntil: { id: 'validUntil', label: (t: PageTexts) => t.referenceForm.validUntil, type: 'date' },
} as const

const airportSpecs = formSpecs({
  name,
  icao: {
    id: 'icao',
    label: ({ referenceForm: t }) => t.localCode,
    hint: ({ referenceForm: t }) => t.localCodeHint,
    required: true,
    maxLength: 8,
    verbatim: true,
  },
  iata: {
    id: 'iata',
    label: ({ referenceForm: t }) => t.iata,
    hint: ({ referenceForm: t }) => t.airportIataHint,
    maxLength: 3,
    verbatim: true,
  },
  municipality: { id: 'municipality', label: ({ referenceForm: t }) => t.city, maxLength: 200 },
  country: { id: 'country', label: ({ referenceForm: t }) => t.country, kind: 'select' },
  continent: {
    id: 'continent',
    label: ({ referenceForm: t }) => t.continent,
    kind: 'select',
    options: ({ referenceForm: t, countries }) => [
      { value: '', label: t.sameAsCountry },
      ...Object.entries(countries.continents).map(([value, label]) => ({ value, label })),
    ],
  },
  latitude: {
    id: 'latitude',
    label: ({ referenceForm: t }) => t.latitude,
    hint: ({ referenceForm: t }) => t.latitudeHint,
    type: 'number',
    required: true,
  },
  longitude: {
    id: 'longitude',
    label: ({ referenceForm: t }) => t.longitude,
    hint: ({ referenceForm: t }) => t.longitudeHint,
    type: 'number',
    required: true,
  },
  timezone: {
    id: 'timezone',
    label: ({ referenceForm: t }) => t.timezone,
    hint: ({ referenceForm: t }) => t.timezoneHint,
    required: true,
    maxLength: 64,
    verbatim: true,
  },
  type: {
    id: 'type',
    label: ({ referenceForm: t }) => t.type,
    kind: 'select',
    options: ({ referenceForm: t }) => airportTypes.map((value) => ({ value, label: t.types[value] })),
  },
  ...validitySpecs,
})

const airlineSpecs = formSpecs({
  name,
  icao: {
    id: 'icao',
    label: ({ referenceForm: t }) => t.icao,
    hint: ({ referenceForm: t }) => t.airlineIcaoHint,
    maxLength: 3,
    verbatim: true,
  },
  iata: {
    id: 'iata',
    label: ({ referenceForm: t }) => t.iata,
    hint: ({ referenceForm: t }) => t.airlineIataHint,
    maxLength: 3,
    verbatim: true,
  },
  ...validitySpecs,
})

const aircraftSpecs = formSpecs({
  name,
  icao: {
    id: 'icao',
    label: ({ referenceForm: t }) => t.icao,
    hint: ({ referenceForm: t }) => t.aircraftIcaoHint,
    maxLength: 4,
    verbatim: true,
  },
})

export interface ReferenceKind<Specs extends FieldSpecs, Row, Write> {
  lookup: LookupKind
  permission: Permission
  specs: Specs
  schema: ZodType<Write>
  unique: string
  entriesOf: (row: Row) => FormValues<Specs>
  bodyOf: (typed: FormValues<Specs>) => unknown
  fieldErrorsOf: (typed: FormValues<Specs>, texts: PageTexts) => FieldErrors
}

const validityEntries = ({ validFrom, validUntil }: Validity) => ({
  validFrom: validFrom ?? '',
  validUntil: validUntil ?? '',
})

const validityBody = ({ validFrom, validUntil }: { validFrom: string; validUntil: string }) => ({
  validFrom: orNull(validFrom),
  validUntil: orNull(validUntil),
})

const orNull = (text: string) => text.trim() || null

/** Accepts a decimal comma. */
const degrees = (text: string) => (text.trim() === '' ? undefined : Number(text.trim().replace(',', '.')))

const airports: ReferenceKind<typeof airportSpecs, AirportDetails, AirportWrite> = {
  lookup: 'airport',
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
    ...validityEntries(row),
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
    ...validityBody(typed),
  }),
  fieldErrorsOf: (typed, { referenceForm: t }) => ({
    ...(typed.country === '' && { country: t.chooseCountry, continent: t.chooseCountryFirst }),
    ...(!Number.isFinite(degrees(typed.latitude)) && { latitude: t.notDegrees }),
    ...(!Number.isFinite(degrees(typed.longitude)) && { longitude: t.notDegrees }),
  }),
}

const airlines: ReferenceKind<typeof airlineSpecs, AirlineDetails, AirlineWrite> = {
  lookup: 'airline',
  permission: 'data.airlines.manage',
  specs: airlineSpecs,
  schema: AirlineWrite,
  unique: 'name',
  entriesOf: (row) => ({ name: row.name, icao: row.icao ?? '', iata: row.iata ?? '', ...validityEntries(row) }),
  bodyOf: (typed) => ({
    name: typed.name,
    icao: orNull(typed.icao),
    iata: orNull(typed.iata),
    ...validityBody(typed),
  }),
  fieldErrorsOf: () => ({}),
}

const aircraft: ReferenceKind<typeof aircraftSpecs, Aircraft, AircraftWrite> = {
  lookup: 'aircraft',
  permission: 'data.aircraft.manage',
  specs: aircraftSpecs,
  schema: AircraftWrite,
  unique: 'name',
  entriesOf: (row) => ({ name: row.name, icao: row.icao ?? '' }),
  bodyOf: (typed) => ({ name: typed.name, icao: orNull(typed.icao) }),
  fieldErrorsOf: () => ({}),
}

export const referenceKinds = { airports, airlines, aircraft }
export type ReferenceKindName = keyof typeof referenceKinds

export function countryOptions({ referenceForm: t, names }: PageTexts): readonly Option[] {
  const countries = countryCodes.map((value) => ({ value, label: names.country(value) }))
  return [{ value: '', label: t.chooseOne }, ...countries.sort((a, b) => names.compare(a.label, b.label))]
}
