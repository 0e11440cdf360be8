import { MappingValue } from '../roles/contract.ts'
import { DisplayName, Username } from '../users/contract.ts'
import type { Person } from './contract.ts'

type Claims = Person['claims']

const MOST_VALUES = 1000

const textOf = (claims: Claims, name: string): string | undefined => {
  const value = claims[name]
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** The local name that equals `preferred_username`, as it stands. */
export const wantedUsername = (claims: Claims): string | undefined => Username.safeParse(claims.preferred_username).data

/** A user name that the rules for names allow, whatever the provider says (contract 16.9). */
export function fittingUsername(claims: Claims): string {
  const source = textOf(claims, 'preferred_username') ?? textOf(claims, 'email')?.split('@', 1)[0] ?? 'user'
  // Cut before it is looked at, and again: an emoji is two units and becomes one hyphen.
  return source
    .slice(0, 40)
    .replace(/[^A-Za-z0-9._-]/gu, '-')
    .slice(0, 20)
    .padEnd(3, '0')
}

/** The n-th choice when others have the name: ada, ada-2, ada-3. */
export function numberedUsername(username: string, count: number): string {
  const ending = count === 1 ? '' : `-${count}`
  return username.slice(0, 20 - ending.length) + ending
}

export function displayName(claims: Claims): string | undefined {
  const name = textOf(claims, 'name')?.slice(0, 400)
  return name === undefined ? undefined : DisplayName.safeParse([...name.trim()].slice(0, 100).join('')).data
}

/** One step into an object; nothing is found in what objects inherit. */
const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined

/** The texts of a claim. A claim may have dots in its own name; otherwise they lead into objects. */
export function claimValues(claims: Claims, claim: string): string[] {
  const found = memberOf(claims, claim) ?? claim.split('.').reduce<unknown>(memberOf, claims)
  const values = Array.isArray(found) ? found.slice(0, MOST_VALUES) : [found]
  return values.filter((value): value is string => MappingValue.safeParse(value).success)
}
