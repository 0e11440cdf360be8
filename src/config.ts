import * as z from 'zod'
import { Refusal } from './lib/refusal.ts'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const FORBIDDEN_SCHEMES = new Set(
  'http https javascript data vbscript file blob about intent ws wss ftp mailto'.split(' '),
)

const wholeNumber = (from: number, to: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/)
    .transform(Number)
    .refine((number) => number >= from && number <= to)

const UNITS = { '': 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3 } as const

const byteCount = z
  .string()
  .regex(/^\d{1,12}[KMG]?$/)
  .transform((text) => Number.parseInt(text, 10) * UNITS[text.replace(/\d/g, '') as keyof typeof UNITS])
  .refine((bytes) => bytes >= 64 * UNITS.K && bytes <= UNITS.G)

/** The path becomes the prefix of every route, so it holds nothing that a router or a URL parser reads as something else. */
const PLAIN_URL = /^https?:\/\/[^/?#@\\\s]+(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*\/?$/i

const baseUrl = z.string().transform((text, context) => {
  const url = PLAIN_URL.test(text) ? URL.parse(text) : null
  if (!url) {
    context.addIssue({ code: 'custom' })
    return z.NEVER
  }
  return url.href.replace(/\/$/, '')
})

const schemes = z
  .string()
  .regex(/^[a-z][a-z0-9+.-]*(,[a-z][a-z0-9+.-]*)*$/)
  .transform((text) => text.split(','))
  .refine((list) => list.every((scheme) => !FORBIDDEN_SCHEMES.has(scheme)))

interface Variable {
  schema: z.ZodType
  fallback: string | undefined
  allowed: string
  meaning: string
}

/** Every environment variable, once: parsing, fault sentences and the README table are held to this list. */
export const variables = {
  BASE_URL: {
    schema: baseUrl,
    fallback: undefined,
    allowed: 'an absolute http or https URL with an optional plain path, and no query, fragment or user information',
    meaning: 'public address of the instance',
  },
  HOST: { schema: z.string(), fallback: '0.0.0.0', allowed: 'a listening address', meaning: 'listening address' },
  PORT: {
    schema: wholeNumber(0, 65535),
    fallback: '3000',
    allowed: 'a whole number from 0 to 65535',
    meaning: 'listening port; 0 takes a free one',
  },
  DATA_DIR: {
    schema: z.string(),
    fallback: './data',
    allowed: 'a directory',
    meaning: 'directory of the database; created when missing',
  },
  LOG_LEVEL: {
    schema: z.enum(logLevels),
    fallback: 'info',
    allowed: `one of ${logLevels.join(', ')}`,
    meaning: 'how much is logged',
  },
  ADDRESS_HEADER: {
    schema: z.string().regex(/^[A-Za-z0-9-]+$/),
    fallback: undefined,
    allowed: 'the name of a header',
    meaning: 'header with the client address; only behind a proxy that sets it',
  },
  XFF_DEPTH: {
    schema: wholeNumber(1, 20),
    fallback: '1',
    allowed: 'a whole number from 1 to 20',
    meaning: 'place of the client address in X-Forwarded-For, counted from the right',
  },
  BODY_LIMIT: {
    schema: byteCount,
    fallback: '20M',
    allowed: 'a number of bytes, or a number with K, M or G, from 64K to 1G',
    meaning: 'largest request body',
  },
  OAUTH_REDIRECT_SCHEMES: {
    schema: schemes,
    fallback: undefined,
    allowed: 'private-use URI schemes separated by commas, such as cursor,vscode',
    meaning: 'redirect schemes accepted beside https and loopback http',
  },
  OAUTH_REFRESH_GRACE_SECONDS: {
    schema: wholeNumber(0, 30),
    fallback: '0',
    allowed: 'a whole number from 0 to 30',
    meaning: 'how long a used refresh token still returns its successor',
  },
  LEGACY_OBJECTS: {
    schema: z.enum(['true', 'false']).transform((text) => text === 'true'),
    fallback: 'false',
    allowed: 'true or false',
    meaning: 'objects for airline and aircraft, and seats, in legacy answers',
  },
} as const satisfies Record<string, Variable>

type Name = keyof typeof variables
type Value<Key extends Name> =
  | z.output<(typeof variables)[Key]['schema']>
  | ((typeof variables)[Key]['fallback'] extends string ? never : undefined)
type Values = { [Key in Name]: Value<Key> }

export interface Config {
  /** Undefined only when PORT is 0: then the bound port decides. */
  baseUrl: string | undefined
  host: string
  port: number
  dataDir: string
  logLevel: Values['LOG_LEVEL']
  addressHeader: string | undefined
  xffDepth: number
  bodyLimit: number
  oauthRedirectSchemes: readonly string[]
  oauthRefreshGraceSeconds: number
  legacyObjects: boolean
}

/** Reads the settings, or refuses with one sentence for each fault. */
export function loadConfig(environment: NodeJS.ProcessEnv): Config {
  const faults: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, { schema, fallback, allowed }] of Object.entries<Variable>(variables)) {
    // An empty value counts as unset: compose files write `NAME=` for "not set".
    const text = environment[name] || fallback
    if (text === undefined) continue
    const parsed = schema.safeParse(text)
    if (parsed.success) values[name] = parsed.data
    else faults.push(`${name} is "${text}", but it must be ${allowed}.`)
  }
  if (faults.length > 0) throw new Refusal(faults.join('\n'))
  const value = values as Values
  const ownAddress = value.PORT === 0 ? undefined : new URL(`http://localhost:${value.PORT}`).origin
  return Object.freeze({
    baseUrl: value.BASE_URL ?? ownAddress,
    host: value.HOST,
    port: value.PORT,
    dataDir: value.DATA_DIR,
    logLevel: value.LOG_LEVEL,
    addressHeader: value.ADDRESS_HEADER?.toLowerCase(),
    xffDepth: value.XFF_DEPTH,
    bodyLimit: value.BODY_LIMIT,
    oauthRedirectSchemes: value.OAUTH_REDIRECT_SCHEMES ?? [],
    oauthRefreshGraceSeconds: value.OAUTH_REFRESH_GRACE_SECONDS,
    legacyObjects: value.LEGACY_OBJECTS,
  })
}
