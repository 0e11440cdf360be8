import { Refusal } from './lib/refusal.ts'
import { settingIn } from './lib/setting-file.ts'
import { issuer, oidcOf, scopeList } from './oidc-config.ts'

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

const FORBIDDEN_SCHEMES = new Set(
  'http https javascript data vbscript file blob about intent ws wss ftp mailto'.split(' '),
)

/** The value of a text, or undefined when it is not allowed. By hand, since every health check reads the settings. */
type Read<Value> = (text: string) => Value | undefined

const anyText: Read<string> = (text) => text

const textLike =
  (pattern: RegExp): Read<string> =>
  (text) =>
    pattern.test(text) ? text : undefined

const oneOf =
  <Word extends string>(words: readonly Word[]): Read<Word> =>
  (text) =>
    words.find((word) => word === text)

const wholeNumber =
  (from: number, to: number): Read<number> =>
  (text) => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN
    return number >= from && number <= to ? number : undefined
  }

const UNITS = { '': 1, K: 1024, M: 1024 ** 2, G: 1024 ** 3 } as const

const byteCount: Read<number> = (text) => {
  const [, digits, unit] = /^(\d{1,12})([KMG]?)$/.exec(text) ?? []
  const bytes = Number(digits) * UNITS[unit as keyof typeof UNITS]
  return bytes >= 64 * UNITS.K && bytes <= UNITS.G ? bytes : undefined
}

/** The path becomes the prefix of every route, so it holds nothing that a router or a URL parser reads as something else. */
const PLAIN_URL = /^https?:\/\/[^/?#@\\\s]+(\/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)*\/?$/i

const baseUrl: Read<string> = (text) => (PLAIN_URL.test(text) ? URL.parse(text)?.href.replace(/\/$/, '') : undefined)

const schemes: Read<string[]> = (text) => {
  const list = text.split(',')
  const isUsable = (scheme: string) => /^[a-z][a-z0-9+.-]*$/.test(scheme) && !FORBIDDEN_SCHEMES.has(scheme)
  return list.every(isUsable) ? list : undefined
}

const yesOrNo: Read<boolean> = (text) => ({ true: true, false: false })[text]

interface Variable {
  read: Read<unknown>
  fallback: string | undefined
  allowed: string
  meaning: string
  /** Its value is repeated nowhere. */
  secret?: true
}

/** Every environment variable, once: parsing, fault sentences and the table in docs/hosting.md are held to this list. */
export const variables = {
  BASE_URL: {
    read: baseUrl,
    fallback: undefined,
    allowed: 'an absolute http or https URL with an optional plain path, and no query, fragment or user information',
    meaning: 'public address of the instance',
  },
  HOST: { read: anyText, fallback: '0.0.0.0', allowed: 'a listening address', meaning: 'listening address' },
  PORT: {
    read: wholeNumber(0, 65535),
    fallback: '3000',
    allowed: 'a whole number from 0 to 65535',
    meaning: 'listening port; 0 takes a free one',
  },
  DATA_DIR: {
    read: anyText,
    fallback: './data',
    allowed: 'a directory',
    meaning: 'directory of the database; created when missing',
  },
  DATABASE_URL: {
    read: textLike(/^postgres(ql)?:\/\/\S+$/),
    fallback: undefined,
    allowed: 'a URL that begins with postgres://',
    meaning: 'PostgreSQL database to use instead of a file in DATA_DIR',
    secret: true,
  },
  DATABASE_URL_FILE: {
    read: anyText,
    fallback: undefined,
    allowed: 'a readable file that holds the URL',
    meaning: 'file that holds the URL instead',
  },
  LOG_LEVEL: {
    read: oneOf(logLevels),
    fallback: 'info',
    allowed: `one of ${logLevels.join(', ')}`,
    meaning: 'how much is logged',
  },
  ADDRESS_HEADER: {
    read: textLike(/^[A-Za-z0-9-]+$/),
    fallback: undefined,
    allowed: 'the name of a header',
    meaning: 'header with the client address; only behind a proxy that sets it',
  },
  XFF_DEPTH: {
    read: wholeNumber(1, 20),
    fallback: '1',
    allowed: 'a whole number from 1 to 20',
    meaning: 'place of the client address in X-Forwarded-For, counted from the right',
  },
  BODY_LIMIT: {
    read: byteCount,
    fallback: '20M',
    allowed: 'a number of bytes, or a number with K, M or G, from 64K to 1G',
    meaning: 'largest request body',
  },
  OAUTH_REDIRECT_SCHEMES: {
    read: schemes,
    fallback: undefined,
    allowed: 'private-use URI schemes separated by commas, such as cursor,vscode',
    meaning: 'redirect schemes accepted beside https and loopback http',
  },
  OAUTH_REFRESH_GRACE_SECONDS: {
    read: wholeNumber(0, 30),
    fallback: '0',
    allowed: 'a whole number from 0 to 30',
    meaning: 'how long a used refresh token still returns its successor',
  },
  LEGACY_OBJECTS: {
    read: yesOrNo,
    fallback: 'false',
    allowed: 'true or false',
    meaning: 'objects for airline and aircraft, and seats, in legacy answers',
  },
  OIDC_ISSUER: {
    read: issuer,
    fallback: undefined,
    allowed:
      'the https URL of an identity provider (http on this machine), without query, fragment or user information',
    meaning: 'identity provider to sign in with, by its issuer',
  },
  OIDC_CLIENT_ID: {
    read: anyText,
    fallback: undefined,
    allowed: 'a text',
    meaning: 'id of this client at the provider',
  },
  OIDC_CLIENT_SECRET: {
    read: anyText,
    fallback: undefined,
    allowed: 'a text',
    meaning: 'secret of this client; none for a public client',
  },
  OIDC_CLIENT_SECRET_FILE: {
    read: anyText,
    fallback: undefined,
    allowed: 'a readable file that holds the secret',
    meaning: 'file that holds the secret instead',
  },
  OIDC_NAME: {
    read: textLike(/^\S(.{0,48}\S)?$/u),
    fallback: undefined,
    allowed: 'a name of 1 to 50 characters',
    meaning: 'name of the provider on the button',
  },
  OIDC_SCOPES: {
    read: scopeList,
    fallback: 'openid profile',
    allowed: 'scopes separated by one space, openid among them',
    meaning: 'what is asked for',
  },
  OIDC_SIGN_UP: {
    read: yesOrNo,
    fallback: 'false',
    allowed: 'true or false',
    meaning: 'whether an unknown person gets an account',
  },
  OIDC_LINK_BY_USERNAME: {
    read: yesOrNo,
    fallback: 'false',
    allowed: 'true or false',
    meaning: 'whether an equal name links an account',
  },
  OIDC_ROLE_CLAIM: {
    read: textLike(/^.{1,200}$/u),
    fallback: undefined,
    allowed: 'the name of a claim, up to 200 characters',
    meaning: 'claim whose texts are held against the role mappings',
  },
  SETUP_CODE: {
    read: textLike(/^\S.{10,198}\S$/u),
    fallback: undefined,
    allowed: '12 to 200 characters without spaces at either end',
    meaning: 'code that the setup page asks for, instead of a generated one in the log',
    secret: true,
  },
  PASSWORD_SIGN_IN: {
    read: yesOrNo,
    fallback: 'true',
    allowed: 'true or false',
    meaning: 'whether others than the owner may sign in with a password',
  },
} as const satisfies Record<string, Variable>

type Name = keyof typeof variables
type Value<Key extends Name> =
  | NonNullable<ReturnType<(typeof variables)[Key]['read']>>
  | ((typeof variables)[Key]['fallback'] extends string ? never : undefined)
type Values = { [Key in Name]: Value<Key> }

export type Config = ReturnType<typeof loadConfig>

/** It may hold a password, which does not belong where every process of the machine can see it. */
function databaseUrlOf(value: Values, faults: string[]): string | undefined {
  const { DATABASE_URL: url, DATABASE_URL_FILE: file } = value
  if (file === undefined) return url
  if (url !== undefined) {
    faults.push('DATABASE_URL and DATABASE_URL_FILE are both set, but only one of them may be.')
    return url
  }
  const { read, allowed } = variables.DATABASE_URL
  const text = settingIn('DATABASE_URL_FILE', file, faults)
  if (text !== undefined && read(text) === undefined)
    faults.push(`DATABASE_URL_FILE is "${file}", but what it holds must be ${allowed}.`)
  return text
}

/** Reads the settings, or refuses with one sentence for each fault. */
export function loadConfig(environment: NodeJS.ProcessEnv) {
  const faults: string[] = []
  const values: Record<string, unknown> = {}
  for (const [name, { read, fallback, allowed, secret }] of Object.entries<Variable>(variables)) {
    // An empty value counts as unset: compose files write `NAME=` for "not set".
    const text = environment[name] || fallback
    if (text === undefined) continue
    values[name] = read(text)
    if (values[name] === undefined) faults.push(`${name} ${secret ? '' : `is "${text}", but it `}must be ${allowed}.`)
  }
  const value = values as Values
  const databaseUrl = databaseUrlOf(value, faults)
  const oidc = oidcOf(value, faults)
  if (faults.length > 0) throw new Refusal(faults.join('\n'))
  const ownAddress = value.PORT === 0 ? undefined : new URL(`http://localhost:${value.PORT}`).origin
  return Object.freeze({
    /** Undefined only when PORT is 0: then the bound port decides. */
    baseUrl: value.BASE_URL ?? ownAddress,
    host: value.HOST,
    port: value.PORT,
    dataDir: value.DATA_DIR,
    databaseUrl,
    logLevel: value.LOG_LEVEL,
    addressHeader: value.ADDRESS_HEADER?.toLowerCase(),
    xffDepth: value.XFF_DEPTH,
    bodyLimit: value.BODY_LIMIT,
    oauthRedirectSchemes: value.OAUTH_REDIRECT_SCHEMES ?? [],
    oauthRefreshGraceSeconds: value.OAUTH_REFRESH_GRACE_SECONDS,
    legacyObjects: value.LEGACY_OBJECTS,
    oidc,
    passwordSignIn: value.PASSWORD_SIGN_IN,
    setupCode: value.SETUP_CODE,
  })
}
