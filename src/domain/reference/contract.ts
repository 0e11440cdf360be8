import * as z from 'zod'
import { CalendarDay, choice, exampleOf, Id, text, trimmedText } from '../../contract/common.ts'
import { isZone } from '../../lib/dates.ts'
import { isWithinLength } from '../../lib/text.ts'
import { english } from '../../messages/english.ts'
import { Country } from './countries.ts'
import type { Validity } from './validity.ts'

export const airportTypes = [
  'small_airport',
  'medium_airport',
  'large_airport',
  'heliport',
  'balloonport',
  'seaplane_base',
  'closed',
] as const

const continents = ['AF', 'AS', 'EU', 'NA', 'OC', 'SA', 'AN'] as const

export const MAX_QUERY_LENGTH = 100
export const MAX_NAME_LENGTH = 200

const AirportType = choice(airportTypes)
export const Continent = choice(continents)

/** Accepts lower case; the OpenAPI pattern describes the stored form. */
const code = (pattern: RegExp, what: string) => z.string().toUpperCase().regex(pattern, what)

const Latitude = z.number().min(-90).max(90)
const Longitude = z.number().min(-180).max(180)

export const Airport = z
  .object({
    id: Id,
    icao: z.string(),
    iata: z.string().nullable(),
    name: z.string(),
    municipality: z.string().nullable(),
    latitude: Latitude,
    longitude: Longitude,
    timezone: z.string(),
    type: AirportType,
    continent: Continent,
    country: z.string(),
    custom: z.boolean(),
  })
  .meta({
    id: 'Airport',
    description: '`custom` is true for rows created on this instance.',
    examples: [
      {
        id: 4711,
        icao: 'LSZH',
        iata: 'ZRH',
        name: 'Zurich Airport',
        municipality: 'Zurich',
        latitude: 47.458056,
        longitude: 8.548056,
        timezone: 'Europe/Zurich',
        type: 'large_airport',
        continent: 'EU',
        country: 'CH',
        custom: false,
      },
    ],
  })
export type Airport = z.output<typeof Airport>

const validityRecord = { validFrom: CalendarDay.nullable(), validUntil: CalendarDay.nullable() }
const validityNote =
  '`validFrom` and `validUntil` are the first and last day of existence; null if unknown, or if it still exists.'

export const AirportDetails = Airport.extend(validityRecord).meta({
  id: 'AirportDetails',
  description: `\`custom\` is true for rows created on this instance. ${validityNote}`,
  examples: [{ ...(exampleOf(Airport) as Airport), validFrom: null, validUntil: null }],
})
export type AirportDetails = z.output<typeof AirportDetails>

const optionalDay = CalendarDay.nullable().default(null)
const validityWrite = { validFrom: optionalDay, validUntil: optionalDay }

type WithOptionalDays<Write> = Omit<Write, keyof typeof validityWrite> & Partial<Validity>

/** Days are texts in a fixed form, which compare like dates. */
const isOrdered = ({ validFrom, validUntil }: Validity) =>
  validFrom === null || validUntil === null || validFrom <= validUntil
const orderError = { path: ['validUntil'], error: english.input.notBefore({ field: 'validFrom' }) }

export const lisbonExample: Airport = {
  id: 3120,
  icao: 'LPPT',
  iata: 'LIS',
  name: 'Lisbon Airport',
  municipality: 'Lisbon',
  latitude: 38.7813,
  longitude: -9.13592,
  timezone: 'Europe/Lisbon',
  type: 'large_airport',
  continent: 'EU',
  country: 'PT',
  custom: false,
}

/** The IATA code, or else the ICAO code. */
export const codeOf = <Icao extends string | null>(named: { iata: string | null; icao: Icao }): string | Icao =>
  named.iata ?? named.icao

export const AirportWrite = z
  .object({
    icao: code(/^[A-Z0-9-]{2,8}$/, english.reference.airportIcao),
    iata: code(/^[A-Z0-9]{3}$/, english.reference.airportIata)
      .nullable()
      .default(null),
    name: trimmedText({ min: 1, max: MAX_NAME_LENGTH }),
    municipality: text({ max: 200 }).nullable().default(null),
    latitude: Latitude,
    longitude: Longitude,
    timezone: z.string().max(64).refine(isZone, english.reference.timezone),
    type: AirportType.default('small_airport'),
    continent: Continent,
    country: Country,
    ...validityWrite,
  })
  .refine(isOrdered, orderError)
  .meta({
    id: 'AirportWrite',
    examples: [
      {
        icao: 'CH-0042',
        name: 'Meadow of the farm',
        municipality: 'Amden',
        latitude: 47.15,
        longitude: 9.14,
        timezone: 'Europe/Zurich',
        continent: 'EU',
        country: 'CH',
      },
    ],
  })
export type AirportWrite = WithOptionalDays<z.output<typeof AirportWrite>>

export const Airline = z
  .object({
    id: Id,
    name: z.string(),
    icao: z.string().nullable(),
    iata: z.string().nullable(),
    iconPath: z.string().nullable(),
    custom: z.boolean(),
  })
  .meta({
    id: 'Airline',
    examples: [{ id: 612, name: 'Swiss', icao: 'SWR', iata: 'LX', iconPath: null, custom: false }],
  })
export type Airline = z.output<typeof Airline>

export const AirlineDetails = Airline.extend(validityRecord).meta({
  id: 'AirlineDetails',
  description: validityNote,
  examples: [{ ...(exampleOf(Airline) as Airline), validFrom: '2002-03-31', validUntil: null }],
})
export type AirlineDetails = z.output<typeof AirlineDetails>

export const AirlineWrite = z
  .object({
    name: trimmedText({ min: 1, max: MAX_NAME_LENGTH }),
    icao: code(/^[A-Z0-9]{1,3}$/, english.reference.airlineIcao)
      .nullable()
      .default(null),
    iata: code(/^[A-Z0-9]{2}\*?$/, english.reference.airlineIata)
      .nullable()
      .default(null),
    ...validityWrite,
  })
  .refine(isOrdered, orderError)
  .meta({ id: 'AirlineWrite', examples: [{ name: 'Alpine Gliders', icao: 'AGL' }] })
export type AirlineWrite = WithOptionalDays<z.output<typeof AirlineWrite>>

export const Aircraft = z.object({ id: Id, name: z.string(), icao: z.string().nullable(), custom: z.boolean() }).meta({
  id: 'Aircraft',
  description: 'An aircraft type.',
  examples: [{ id: 88, name: 'Airbus A220-300', icao: 'BCS3', custom: false }],
})
export type Aircraft = z.output<typeof Aircraft>

export const AircraftWrite = z
  .object({
    name: trimmedText({ min: 1, max: MAX_NAME_LENGTH }),
    icao: code(/^[A-Z0-9]{2,4}$/, english.reference.aircraftIcao)
      .nullable()
      .default(null),
  })
  .meta({ id: 'AircraftWrite', examples: [{ name: 'Schleicher ASK 21', icao: 'AS21' }] })
export type AircraftWrite = z.output<typeof AircraftWrite>

export const searchQuery = (searched: string) =>
  z.object({
    query: z
      .string()
      .min(1, english.input.minCharacters({ count: 1 }))
      .refine(
        (query) => isWithinLength(query, MAX_QUERY_LENGTH),
        english.input.maxCharacters({ count: MAX_QUERY_LENGTH }),
      )
      .meta({
        maxLength: MAX_QUERY_LENGTH,
        description: `What to search for: ${searched}. Accents and case do not matter.`,
      }),
  })

export interface Records {
  airport: (id: number) => Airport | undefined
  airline: (id: number) => Airline | undefined
  aircraft: (id: number) => Aircraft | undefined
}
