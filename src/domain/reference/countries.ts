import { countries } from 'countries-list'
import * as z from 'zod'
import { english } from '../../messages/english.ts'

// Ascension and Tristan da Cunha, which belong to Saint Helena (SH).
const RESERVED_COUNTRIES = ['AC', 'TA']

/** The 249 codes of ISO 3166-1 alpha-2, and XK for Kosovo. */
export function isCountry(country: string): boolean {
  return Object.hasOwn(countries, country) && !RESERVED_COUNTRIES.includes(country)
}

export const Country = z.string().toUpperCase().refine(isCountry, english.reference.country)

type Code = keyof typeof countries

/** Countries whose airports are mostly on another continent than countries-list says. */
const BY_AIRPORTS: Partial<Record<Code, (typeof countries)[Code]['continent']>> = { CY: 'AS', RU: 'EU', TL: 'AS' }

export const continentOf = (country: string) => BY_AIRPORTS[country as Code] ?? countries[country as Code].continent

export const countryCodes: readonly string[] = Object.keys(countries).filter(isCountry).sort()
