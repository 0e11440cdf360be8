import { countries } from 'countries-list'
import * as z from 'zod'

// Ascension and Tristan da Cunha are only reserved codes of ISO 3166-1, their country is Saint Helena (SH).
const RESERVED_COUNTRIES = ['AC', 'TA']

/** The 249 codes of ISO 3166-1 alpha-2, and XK for Kosovo. */
export function isCountry(country: string): boolean {
  return Object.hasOwn(countries, country) && !RESERVED_COUNTRIES.includes(country)
}

/** A country in a body: two letters in any case, and known. */
export const Country = z.string().toUpperCase().refine(isCountry, 'Must be an ISO 3166-1 alpha-2 country code or XK.')

type Code = keyof typeof countries

/** Where the shipped airports of a country lie on another continent than the list of countries says, most of them or all. */
const BY_AIRPORTS: Partial<Record<Code, (typeof countries)[Code]['continent']>> = { CY: 'AS', RU: 'EU', TL: 'AS' }

/** The continent of a country, by the codes of this contract. */
export const continentOf = (country: string) => BY_AIRPORTS[country as Code] ?? countries[country as Code].continent

/** Every code that a record may have. */
export const countryCodes: readonly string[] = Object.keys(countries).filter(isCountry).sort()
