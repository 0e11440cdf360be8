import { mutated, strange } from '../../support/mutate.ts'
import type { Random } from '../../support/random.ts'
import { FLIGHTS, TRIPS, type World } from './world.ts'

export type { Random } from '../../support/random.ts'

export interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  prefixItems?: Schema[]
  minItems?: number
  pattern?: string
  format?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
}

const words = ['AB', 'ABC', 'ABCD', 'LX', 'SK*', 'Z9', 'key_1', 'trip', 'slug-1', 'Mira', 'Noor', 'A220', 'x', '2A', '']
const zones = ['Europe/Zurich', 'UTC', 'Pacific/Apia', 'America/New_York', 'Australia/Lord_Howe']
const days = ['2025-05-03', '2024-02-29', '1999-12-31', '0001-01-01', '9999-12-31', '2025-10-26']
const instants = ['2025-05-03T10:20:00Z', '2025-05-03T12:20+02:00', '2025-05-04T00:00:00.123456Z', '1969-12-31T23:59Z']

/** Properties with valid values of the instance, without which nearly every body would be rejected. */
const knownValues: Record<string, (ids: World['ids'], random: Random) => unknown> = {
  fromId: ({ airports }, { pick }) => pick(airports),
  toId: ({ airports }, { pick }) => pick(airports),
  airlineId: ({ airlines }, { pick }) => pick(airlines),
  aircraftId: ({ aircraft }, { pick }) => pick(aircraft),
  userId: ({ travellers }, { pick }) => pick(travellers),
  roleId: ({ roles }, { pick }) => pick(roles),
  flightIds: (_ids, { below }) => Array.from({ length: below(4) }, () => 1 + below(FLIGHTS)),
  tripId: (_ids, { pick, below }) => pick<unknown>([null, 1 + below(TRIPS)]),
  timezone: (_ids, { pick }) => pick(zones),
  country: (_ids, { pick }) => pick(['CH', 'pt', 'XK']),
  code: (_ids, { pick }) => pick(['CH', 'pt', 'XK', 'US']),
  customFields: (_ids, { pick }) => pick<unknown>([{}, { 1: 'x' }, { trip: 'y', constructor: 1 }]),
  defaultValue: (_ids, { pick }) => pick([null, 'a', 1, true, ['a'], '2025-05-03']),
  regex: (_ids, { pick }) => pick(['^[a-z]+$', '(a|b)*', '\\p{L}', '.{3}']),
  icao: (_ids, { below }) => below(46_655).toString(36).toUpperCase().padStart(3, 'X').slice(0, 3),
  name: (_ids, { below }) => `Name ${below(100_000)}`,
  username: (_ids, { below }) => `user${below(100_000)}`,
  slug: (_ids, { pick, below }) => pick([null, `slug-${below(1000)}`]),
}

/** Creates valid values from the schemas of the document. */
export function valueMaker(schemas: Record<string, Schema>, ids: World['ids'], random: Random) {
  const { pick, below, next } = random

  function text({ pattern, format, minLength = 0, maxLength = 40 }: Schema): string {
    if (format === 'date') return pick(days)
    if (format === 'date-time') return pick(instants)
    if (format === 'password') return 'correct horse battery'
    const fits = (word: string) => !pattern || new RegExp(pattern, 'u').test(word)
    const long = 'ü'.repeat(minLength + below(Math.min(maxLength, 300) - minLength + 1))
    return pick([...words, long].filter((word) => fits(word) && [...word].length >= minLength)) ?? 'none'
  }

  function number({ minimum, maximum }: Schema, isInteger: boolean): number {
    const [low, high] = [minimum ?? -1000, maximum ?? 1_000_000]
    const value = pick([low, high, low + (Math.min(high, low + 500) - low) * next()])
    return isInteger ? Math.round(value) : value
  }

  function object({ properties = {}, required = [] }: Schema): Record<string, unknown> {
    const names = Object.keys(properties).filter((name) => required.includes(name) || next() < 0.4)
    return Object.fromEntries(names.map((name) => [name, sample(properties[name]!, name)]))
  }

  function sample(schema: Schema, name = ''): unknown {
    const knownValue = Object.hasOwn(knownValues, name) ? knownValues[name] : undefined
    if (knownValue && next() < 0.85) return knownValue(ids, random)
    if (schema.$ref) return sample(schemas[schema.$ref.split('/').at(-1)!]!, name)
    if (schema.const !== undefined) return schema.const
    if (schema.enum) return pick(schema.enum)
    if (schema.anyOf) return sample(pick(schema.anyOf), name)
    const type = Array.isArray(schema.type) ? pick(schema.type) : schema.type
    switch (type) {
      case 'object':
        return object(schema)
      case 'array': {
        if (schema.prefixItems) return schema.prefixItems.map((item) => sample(item))
        const length = Math.max(schema.minItems ?? 0, below(4))
        return Array.from({ length }, () => sample(schema.items ?? {}))
      }
      case 'string':
        return text(schema)
      case 'integer':
        return number(schema, true)
      case 'number':
        return number(schema, false)
      case 'boolean':
        return next() < 0.5
      case 'null':
        return null
      default:
        return structuredClone(pick(strange))
    }
  }
  return sample
}

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

/** Malformed JSON: truncated texts, repeated and forbidden keys, numbers out of range. */
const malformations: ((json: string, random: Random) => string | Buffer)[] = [
  (json, { below }) => json.slice(0, below(json.length)),
  (json, { below, pick }) => {
    const at = below(json.length)
    return (
      json.slice(0, at) + pick(['"', '\\', '}', ',', '\u0001', '1e999', 'NaN', '\\ud800', ' ']) + json.slice(at + 1)
    )
  },
  (json) => json.replace('{', '{"__proto__":{"polluted":1},'),
  (json) => json.replace('{', '{"constructor":{"prototype":{"polluted":1}},'),
  (json) => json.replace('{', '{"id":1,"id":2,"id":9007199254740993,'),
  (json) => json.replace(/:[^,{[\]}]+/, ':1e400'),
  (json) => json.replace(/:[^,{[\]}]+/, ':-0'),
  (json, { pick }) => json.replace(/:[^,{[\]}]+/, `:${deep(pick([10, 1000, 20_000]))}`),
  (json) => `\ufeff${json}`,
  (json) => Buffer.from(json, 'utf16le'),
  (json) => Buffer.concat([Buffer.from(json.slice(0, -1)), Buffer.from([0x2c, 0x22, 0xff, 0xfe, 0x22, 0x7d])]),
  () => deep(5000),
  (_json, { pick }) => pick(['', ' ', 'null', '[]', '"text"', '0', '{}', 'undefined', '[{}]', '{"a":']),
]

/** Larger bodies are rejected during the upload, which another test covers. */
const MAX_BODY_BYTES = 2 ** 20

/** A body that is valid, has mutated values, or is not JSON. */
export const bodyOf = (good: unknown, random: Random): Buffer => anyBody(good, random).subarray(0, MAX_BODY_BYTES)

function anyBody(good: unknown, random: Random): Buffer {
  const roll = random.next()
  if (roll < 0.35) return Buffer.from(JSON.stringify(good))
  const json = roll < 0.85 ? mutated(good, random) : JSON.stringify(good)
  if (roll < 0.75) return Buffer.from(json)
  return Buffer.from(random.pick(malformations)(json, random) as string)
}

const oddTexts = strange.filter((value) => typeof value === 'string' && value.length < 600) as string[]

/** A value of a query or form, with valid or invalid encoding. */
export function parameterText(value: unknown, random: Random): string {
  const { pick, next, below } = random
  const roll = next()
  if (roll < 0.65) return encodeURIComponent(String(value).toWellFormed())
  if (roll < 0.9) return encodeURIComponent(pick(oddTexts).toWellFormed())
  return pick([
    '%',
    '%zz',
    '%ff%fe',
    '%00',
    '%ED%A0%80',
    '+',
    '&',
    '=',
    '[]',
    'a%0d%0ab',
    '%2e%2e%2f',
    '9'.repeat(1 + below(400)),
  ])
}

/** Pairs as a query or form, some repeated, with brackets or unknown. */
export function parameters(pairs: readonly (readonly [string, unknown])[], random: Random): string {
  const { next, pick } = random
  const written = pairs.map(([name, value]) => `${name}=${parameterText(value, random)}`)
  if (next() < 0.08 && written.length > 0) written.push(pick(written))
  if (next() < 0.08)
    written.push(`${pick(['__proto__', 'constructor', 'toString', 'x[]', 'a.b', '%00', ''])}=${pick(['1', '', '%ff'])}`)
  if (next() < 0.01) written.push(...Array.from({ length: 300 }, (_, index) => `p${index}=1`))
  return written.join('&')
}
