import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { ProviderSettings } from '../domain/identities/contract.ts'
import { clientMetadataModes } from '../domain/oauth/contract.ts'
import { loopbackNames } from '../lib/loopback.ts'
import { StartupError } from '../lib/startup-error.ts'

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const FORBIDDEN_SCHEMES = new Set(
  'http https javascript data vbscript file blob about intent ws wss ftp mailto'.split(' '),
)

/** The path becomes the prefix of every route, so special characters are not allowed. */
const PLAIN_URL = /^https?:\/\/[^/?#@\\\s]+(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*\/?$/i

const SCOPES = /^[\x21\x23-\x5b\x5d-\x7e]+( [\x21\x23-\x5b\x5d-\x7e]+)*$/

const KIB = 1024
const UNITS: Record<string, number> = { '': 1, K: KIB, M: KIB ** 2, G: KIB ** 3 }

function bytesOf(text: string): number {
  const [, digits, unit = ''] = /^(\d{1,12})([KMG]?)$/.exec(text) ?? []
  return Number(digits) * UNITS[unit]!
}

/** Plain http to a provider could be intercepted. */
function isIssuer(text: string): boolean {
  const url = /[?#@\\\s]/.test(text) ? null : URL.parse(text)
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && loopbackNames.includes(url.hostname))
}

const mustBe = (allowed: string) => ({
  error: ({ input }: { input?: unknown }) => `is "${input}", but it must be ${allowed}`,
})
/** For secrets: does not repeat the value. */
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
  DATABASE_URL_FILE: z.string().optional().describe('file with the database URL'),
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
  OAUTH_CLIENT_METADATA: z
    .enum(clientMetadataModes, mustBe(`one of ${clientMetadataModes.join(', ')}`))
    .prefault('on')
    .describe('whether applications can identify themselves with a URL: on, off or local'),
  OAUTH_REDIRECT_SCHEMES: z
    .string()
    .refine(
      (text) => text.split(',').every((each) => /^[a-z][a-z0-9+.-]*$/.test(each) && !FORBIDDEN_SCHEMES.has(each)),
      mustBe('private-use URI schemes separated by commas, such as cursor,vscode'),
    )
    .transform((text) => text.split(','))
    .optional()
    .describe('redirect schemes accepted in addition to https and loopback http'),
  OAUTH_REFRESH_GRACE_SECONDS: wholeNumber(0, 30)
    .prefault('0')
    .describe('grace period in which a used refresh token returns its successor'),
  LEGACY_OBJECTS: trueOrFalse()
    .prefault('false')
    .describe('objects for airline and aircraft, and seats, in legacy responses'),
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
  OIDC_CLIENT_ID: z.string().optional().describe('client id at the provider'),
  OIDC_CLIENT_SECRET: z.string().optional().describe('client secret; unset for a public client'),
  OIDC_CLIENT_SECRET_FILE: z.string().optional().describe('file with the client secret'),
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
    .describe('scopes to request'),
  OIDC_SIGN_UP: trueOrFalse().prefault('false').describe('create accounts for new users of the provider'),
  OIDC_LINK_BY_USERNAME: trueOrFalse()
    .prefault('false')
    .describe('link an account whose username equals preferred_username at the first sign-in'),
  OIDC_ROLE_CLAIM: matching(/^.{1,200}$/u, 'the name of a claim, up to 200 characters')
    .optional()
    .describe('claim that is matched with the role mappings at every sign-in'),
  SETUP_CODE: z
    .string()
    .regex(/^\S.{10,198}\S$/u, secretMustBe('12 to 200 characters without spaces at either end'))
    .optional()
    .describe('code that the setup page requires'),
  DELETED_FLIGHTS_DAYS: wholeNumber(0, 3650)
    .prefault('30')
    .describe('days in which a deleted flight can be restored; 0 deletes flights at once'),
  PASSWORD_SIGN_IN: trueOrFalse()
    .prefault('true')
    .describe('whether users can sign in with a password; the owner always can'),
})

export const { DATABASE_URL: DatabaseUrl } = Environment.shape

export const settings = Object.entries(Environment.shape).map(([name, schema]) => ({
  name,
  fallback: schema instanceof z.ZodPrefault ? (schema.def.defaultValue as string) : undefined,
  description: schema.description!,
}))

type RawSettings = Record<string, string | undefined>

/** Reads X from the file named by X_FILE. Unlike a file, the environment of a process is visible to others. */
function readSecretFile(raw: RawSettings, name: string, errors: string[]): void {
  const variable = `${name}_FILE`
  const file = raw[variable]
  if (file === undefined) return
  if (raw[name] !== undefined) {
    errors.push(`${name} and ${variable} are both set. Set only one of them.`)
    raw[variable] = undefined
    return
  }
  try {
    raw[name] = readFileSync(file, 'utf8').trim() || undefined
    if (raw[name] === undefined) errors.push(`${variable} is "${file}", but that file is empty.`)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    errors.push(`${variable} is "${file}", but that file cannot be read (${code}).`)
  }
}

function toOidcSettings(value: z.infer<typeof Environment>): ProviderSettings | undefined {
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

export function loadConfig(environment: NodeJS.ProcessEnv) {
  // Compose files write `NAME=` for unset variables.
  const raw: RawSettings = Object.fromEntries(settings.map(({ name }) => [name, environment[name] || undefined]))
  const errors: string[] = []
  readSecretFile(raw, 'DATABASE_URL', errors)
  // Without an issuer the other OIDC variables have no effect.
  if (raw.OIDC_ISSUER !== undefined) {
    readSecretFile(raw, 'OIDC_CLIENT_SECRET', errors)
    if (raw.OIDC_CLIENT_ID === undefined)
      errors.push('OIDC_CLIENT_ID is not set. Set it to the client id at the provider.')
  }
  const { data: value, error } = Environment.safeParse(raw)
  for (const { path, message } of error?.issues ?? []) {
    const [name, file] = [String(path[0]), raw[`${String(path[0])}_FILE`]]
    errors.push(file === undefined ? `${name} ${message}.` : `${name}_FILE is "${file}", but its content ${message}.`)
  }
  if (!value || errors.length > 0) throw new StartupError(errors.join('\n'))
  const localUrl = value.PORT === 0 ? undefined : new URL(`http://localhost:${value.PORT}`).origin
  return Object.freeze({
    /** Undefined only if PORT is 0: then the bound port decides. */
    baseUrl: value.BASE_URL ?? localUrl,
    host: value.HOST,
    port: value.PORT,
    dataDir: value.DATA_DIR,
    databaseUrl: value.DATABASE_URL,
    logLevel: value.LOG_LEVEL,
    addressHeader: value.ADDRESS_HEADER,
    xffDepth: value.XFF_DEPTH,
    bodyLimit: value.BODY_LIMIT,
    oauthClientMetadata: value.OAUTH_CLIENT_METADATA,
    oauthRedirectSchemes: value.OAUTH_REDIRECT_SCHEMES ?? [],
    oauthRefreshGraceSeconds: value.OAUTH_REFRESH_GRACE_SECONDS,
    legacyObjects: value.LEGACY_OBJECTS,
    oidc: toOidcSettings(value),
    deletedFlightsDays: value.DELETED_FLIGHTS_DAYS,
    passwordSignIn: value.PASSWORD_SIGN_IN,
    setupCode: value.SETUP_CODE,
  })
}
