import { MappingValue } from '../roles/contract.ts'
import { DisplayName, Username } from '../users/contract.ts'
import type { Person } from './contract.ts'

type Claims = Person['claims']

const MAX_VALUES = 1000

const textOf = (claims: Claims, name: string): string | undefined => {
  const value = claims[name]
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

export const preferredUsername = (claims: Claims): string | undefined =>
  Username.safeParse(claims.preferred_username).data

/** A valid username for any claims (contract 16.9). */
export function toValidUsername(claims: Claims): string {
  const source = textOf(claims, 'preferred_username') ?? textOf(claims, 'email')?.split('@', 1)[0] ?? 'user'
  // Truncate before and after: an emoji is two units and becomes one hyphen.
  return source
    .slice(0, 40)
    .replace(/[^A-Za-z0-9._-]/gu, '-')
    .slice(0, 20)
    .padEnd(3, '0')
}

export function numberedUsername(username: string, count: number): string {
  const suffix = count === 1 ? '' : `-${count}`
  return username.slice(0, 20 - suffix.length) + suffix
}

export function displayName(claims: Claims): string | undefined {
  const name = textOf(claims, 'name')?.slice(0, 400)
  return name === undefined ? undefined : DisplayName.safeParse([...name.trim()].slice(0, 100).join('')).data
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined

/** The name of a claim may contain dots; otherwise they separate nested objects. */
export function claimValues(claims: Claims, claim: string): string[] {
  const found = memberOf(claims, claim) ?? claim.split('.').reduce<unknown>(memberOf, claims)
  const values = Array.isArray(found) ? found.slice(0, MAX_VALUES) : [found]
  return values.filter((value): value is string => MappingValue.safeParse(value).success)
}
