import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { ProviderSettings } from './domain/identities/contract.ts'
import { loopbackNames } from './lib/loopback.ts'
import { Refusal } from './lib/refusal.ts'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const FORBIDDEN_SCHEMES = new Set(
  'http https javascript data vbscript file blob about intent ws wss ftp mailto'.split(' '),
)

/** The path becomes the prefix of every route: no characters that a router or a URL parser treats specially. */
const PLAIN_URL = /^https?:\/\/[^/?#@\\\s]+(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*\/?$/i

const SCOPES = /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/

const KIB = 1024
const UNITS: Record<string, number> = { '': 1, K: KIB, M: KIB ** 2, G: KIB ** 3 }

function bytesOf(text: string): number {
  const [, digits, unit = ''] = /^(\d{1,12})([KMG]?)$/.exec(text) ?? []
  return Number(digits) * UNITS[unit]!
}

/** A network connection to a provider without https could be intercepted. */
function isIssuer(text: string): boolean {
  const url = /[?#@\\\s]/.test(text) ? null : URL.parse(text)
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && loopbackNames.includes(url.hostname))
}

/** Error messages continue a sentence that begins with the name of the variable. */
const mustBe = (allowed: string) => ({
  error: ({ input }: { input?: unknown }) => `is "${input}", but it must be ${allowed}`,
})
/** Never repeats the value. */
const secretMustBe = (allowed: string) => ({ error: `must be ${allowed}` })

const matching = (pattern: RegExp, allowed: string) => z.string().regex(pattern, mustBe(allowed))

const wholeNumber = (from: number, to: number) =>
  z
    .string()
    .refine(
      (text) => /^\d{1,9}$/.test(text) && Number(text) >= from && Number(text) <= to,
      mustBe(`a whole number from ${from} to ${to}`),
    )
    .transform(Number)

const trueOrFalse = () =>
  z.stringbool({ truthy: ['true'], falsy: ['false'], case: 'sensitive', ...mustBe('true or false') })

/** Every environment variable. Parsing, error messages, `serve --help` and the tests of the documents read it. */
const Environment = z.object({
  BASE_URL: z
    .string()
    .refine(
      (text) => PLAIN_URL.test(text) && URL.canParse(text),
      mustBe('an absolute http or https URL with an optional plain path, and no query, fragment or user information'),
    )
    .transform((text) => new URL(text).href.replace(/\/$/, ''))
    .optional()
    .describe('public address of the instance'),
  HOST: z.string().prefault('0.0.0.0').describe('listening address'),
  PORT: wholeNumber(0, 65535).prefault('3000').describe('listening port; 0 takes a free one'),
  DATA_DIR: z.string().prefault('./data').describe('directory of the database paxlog.db; created when missing'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\/\S+$/, secretMustBe('a URL that begins with postgres://'))
    .optional()
    .describe('PostgreSQL database to use instead of a file in DATA_DIR'),
  DATABASE_URL_FILE: z.string().optional().describe('file that holds the URL instead'),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, mustBe(`one of ${LOG_LEVELS.join(', ')}`))
    .prefault('info')
    .describe('fatal, error, warn, info, debug, trace or silent'),
  ADDRESS_HEADER: matching(/^[A-Za-z0-9-]+$/, 'the name of a header')
    .toLowerCase()
    .optional()
    .describe('header with the client address; only behind a proxy that sets it'),
  XFF_DEPTH: wholeNumber(1, 20)
    .prefault('1')
    .describe('place of the client address in X-Forwarded-For, counted from the right'),
  BODY_LIMIT: z
    .string()
    .refine(
      (text) => bytesOf(text) >= 64 * KIB && bytesOf(text) <= KIB ** 3,
      mustBe('a number of bytes, or a number with K, M or G, from 64K to 1G'),
    )
    .transform(bytesOf)
    .prefault('20M')
    .describe('largest request body'),
  OAUTH_REDIRECT_SCHEMES: z
    .string()
    .refine(
      (text) => text.split(',').every((each) => /^[a-z][a-z0-9+.-]*$/.test(each) && !FORBIDDEN_SCHEMES.has(each)),
      mustBe('private-use URI schemes separated by commas, such as cursor,vscode'),
    )
    .transform((text) => text.split(','))
    .optional()
    .describe('redirect schemes accepted beside https and loopback http'),
  OAUTH_REFRESH_GRACE_SECONDS: wholeNumber(0, 30)
    .prefault('0')
    .describe('how long a used refresh token still returns its successor'),
  LEGACY_OBJECTS: trueOrFalse()
    .prefault('false')
    .describe('objects for airline and aircraft, and seats, in legacy answers'),
  OIDC_ISSUER: z
    .string()
    .refine(
      isIssuer,
      mustBe(
        'the https URL of an identity provider (http on this machine), without query, fragment or user information',
      ),
    )
    .optional()
    .describe('identity provider to sign in with'),
  OIDC_CLIENT_ID: z.string().optional().describe('id that the provider gave to Paxlog'),
  OIDC_CLIENT_SECRET: z.string().optional().describe('secret that goes with it; none for a public client'),
  OIDC_CLIENT_SECRET_FILE: z.string().optional().describe('file that holds the secret instead'),
  OIDC_NAME: matching(/^\S(.{0,48}\S)?$/u, 'a name of 1 to 50 characters')
    .optional()
    .describe('name on the button, "Sign in with …"; the host of the issuer when unset'),
  OIDC_SCOPES: z
    .string()
    .refine(
      (text) => SCOPES.test(text) && text.split(' ').includes('openid'),
      mustBe('scopes separated by one space, openid among them'),
    )
    .prefault('openid profile')
    .describe('what the provider is asked for'),
  OIDC_SIGN_UP: trueOrFalse().prefault('false').describe('true: somebody without an account gets one'),
  OIDC_LINK_BY_USERNAME: trueOrFalse()
    .prefault('false')
    .describe('true: at the first sign-in preferred_username finds the account of that name'),
  OIDC_ROLE_CLAIM: matching(/^.{1,200}$/u, 'the name of a claim, up to 200 characters')
    .optional()
    .describe('claim whose texts are held against the role mappings at every sign-in'),
  SETUP_CODE: z
    .string()
    .regex(/^\S.{10,198}\S$/u, secretMustBe('12 to 200 characters without spaces at either end'))
    .optional()
    .describe('code that the setup page asks for'),
  PASSWORD_SIGN_IN: trueOrFalse().prefault('true').describe('false: passwords are for the owner alone'),
})

export const { DATABASE_URL: DatabaseUrl } = Environment.shape

/** Name, default as written in the environment, and description of each variable. */
export const settings = Object.entries(Environment.shape).map(([name, schema]) => ({
  name,
  fallback: schema instanceof z.ZodPrefault ? (schema.def.defaultValue as string) : undefined,
  description: schema.description!,
}))

type Given = Record<string, string | undefined>

/** Adds the secret of a file named by X_FILE under X. The environment of a process is visible to others, a file need not be. */
function readSecretFile(given: Given, name: string, faults: string[]): void {
  const variable = `${name}_FILE`
  const file = given[variable]
  if (file === undefined) return
  if (given[name] !== undefined) {
    faults.push(`${name} and ${variable} are both set, but only one of them may be.`)
    given[variable] = undefined
    return
  }
  try {
    given[name] = readFileSync(file, 'utf8').trim() || undefined
    if (given[name] === undefined) faults.push(`${variable} is "${file}", but that file is empty.`)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    faults.push(`${variable} is "${file}", but that file cannot be read (${code}).`)
  }
}

function oidcOf(value: z.infer<typeof Environment>): ProviderSettings | undefined {
  if (value.OIDC_ISSUER === undefined) return undefined
  return {
    issuer: value.OIDC_ISSUER,
    clientId: value.OIDC_CLIENT_ID!,
    clientSecret: value.OIDC_CLIENT_SECRET,
    name: value.OIDC_NAME ?? new URL(value.OIDC_ISSUER).host,
    scopes: value.OIDC_SCOPES,
    signUp: value.OIDC_SIGN_UP,
    linkByUsername: value.OIDC_LINK_BY_USERNAME,
    roleClaim: value.OIDC_ROLE_CLAIM,
  }
}

export type Config = ReturnType<typeof loadConfig>

/** Reads the settings, or refuses with one sentence for each fault. */
export function loadConfig(environment: NodeJS.ProcessEnv) {
  // An empty value counts as unset: compose files write `NAME=` for "not set".
  const given: Given = Object.fromEntries(settings.map(({ name }) => [name, environment[name] || undefined]))
  const faults: string[] = []
  readSecretFile(given, 'DATABASE_URL', faults)
  // Without an issuer the other OIDC variables have no effect.
  if (given.OIDC_ISSUER !== undefined) {
    readSecretFile(given, 'OIDC_CLIENT_SECRET', faults)
    if (given.OIDC_CLIENT_ID === undefined)
      faults.push('OIDC_CLIENT_ID is not set, but OIDC_ISSUER is: set it to the id that the provider gave to Paxlog.')
  }
  const { data: value, error } = Environment.safeParse(given)
  for (const { path, message } of error?.issues ?? []) {
    const [name, file] = [String(path[0]), given[`${String(path[0])}_FILE`]]
    faults.push(file === undefined ? `${name} ${message}.` : `${name}_FILE is "${file}", but what it holds ${message}.`)
  }
  if (!value || faults.length > 0) throw new Refusal(faults.join('\n'))
  const ownAddress = value.PORT === 0 ? undefined : new URL(`http://localhost:${value.PORT}`).origin
  return Object.freeze({
    /** Undefined only when PORT is 0: then the bound port decides. */
    baseUrl: value.BASE_URL ?? ownAddress,
    host: value.HOST,
    port: value.PORT,
    dataDir: value.DATA_DIR,
    databaseUrl: value.DATABASE_URL,
    logLevel: value.LOG_LEVEL,
    addressHeader: value.ADDRESS_HEADER,
    xffDepth: value.XFF_DEPTH,
    bodyLimit: value.BODY_LIMIT,
    oauthRedirectSchemes: value.OAUTH_REDIRECT_SCHEMES ?? [],
    oauthRefreshGraceSeconds: value.OAUTH_REFRESH_GRACE_SECONDS,
    legacyObjects: value.LEGACY_OBJECTS,
    oidc: oidcOf(value),
    passwordSignIn: value.PASSWORD_SIGN_IN,
    setupCode: value.SETUP_CODE,
  })
}
