import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { loadConfig, settings } from '../src/app/config.ts'
import { StartupError } from '../src/lib/startup-error.ts'
import { temporaryFolder } from './support/paxlog.ts'

function errorsOf(environment: Record<string, string>): string[] {
  try {
    loadConfig(environment)
  } catch (error) {
    expect(error).toBeInstanceOf(StartupError)
    return (error as StartupError).message.split('\n')
  }
  return []
}

const defaults = {
  baseUrl: 'http://localhost:3000',
  host: '0.0.0.0',
  port: 3000,
  dataDir: './data',
  databaseUrl: undefined,
  logLevel: 'info',
  addressHeader: undefined,
  xffDepth: 1,
  bodyLimit: 20 * 1024 * 1024,
  oauthClientMetadata: 'on',
  oauthRedirectSchemes: [],
  oauthRefreshGraceSeconds: 0,
  legacyObjects: false,
  oidc: undefined,
  deletedFlightsDays: 30,
  passwordSignIn: true,
  setupCode: undefined,
}

const good: [name: string, text: string, expected: Partial<typeof defaults> | object][] = [
  ['BASE_URL', 'https://log.example.org', { baseUrl: 'https://log.example.org' }],
  ['BASE_URL', 'https://log.example.org/', { baseUrl: 'https://log.example.org' }],
  ['BASE_URL', 'https://example.org/flights', { baseUrl: 'https://example.org/flights' }],
  ['BASE_URL', 'https://example.org/my/log_1.0~a-b/', { baseUrl: 'https://example.org/my/log_1.0~a-b' }],
  ['BASE_URL', 'HTTP://Example.ORG:8080', { baseUrl: 'http://example.org:8080' }],
  ['BASE_URL', 'https://example.org:443', { baseUrl: 'https://example.org' }],
  ['BASE_URL', 'http://[::1]:3000', { baseUrl: 'http://[::1]:3000' }],
  ['HOST', '127.0.0.1', { host: '127.0.0.1' }],
  ['HOST', '::', { host: '::' }],
  ['PORT', '8080', { port: 8080, baseUrl: 'http://localhost:8080' }],
  ['PORT', '65535', { port: 65535, baseUrl: 'http://localhost:65535' }],
  ['PORT', '80', { port: 80, baseUrl: 'http://localhost' }],
  ['PORT', '0', { port: 0, baseUrl: undefined }],
  ['DATA_DIR', '/var/lib/paxlog', { dataDir: '/var/lib/paxlog' }],
  ['DATABASE_URL', 'postgres://me:secret@db/paxlog', { databaseUrl: 'postgres://me:secret@db/paxlog' }],
  ['DATABASE_URL', 'postgresql://db', { databaseUrl: 'postgresql://db' }],
  ['LOG_LEVEL', 'trace', { logLevel: 'trace' }],
  ['LOG_LEVEL', 'silent', { logLevel: 'silent' }],
  ['ADDRESS_HEADER', 'X-Forwarded-For', { addressHeader: 'x-forwarded-for' }],
  ['XFF_DEPTH', '20', { xffDepth: 20 }],
  ['BODY_LIMIT', '65536', { bodyLimit: 65536 }],
  ['BODY_LIMIT', '64K', { bodyLimit: 65536 }],
  ['BODY_LIMIT', '5M', { bodyLimit: 5 * 1024 ** 2 }],
  ['BODY_LIMIT', '1G', { bodyLimit: 1024 ** 3 }],
  ['OAUTH_REDIRECT_SCHEMES', 'cursor', { oauthRedirectSchemes: ['cursor'] }],
  ['OAUTH_REDIRECT_SCHEMES', 'cursor,com.example.app', { oauthRedirectSchemes: ['cursor', 'com.example.app'] }],
  ['OAUTH_CLIENT_METADATA', 'off', { oauthClientMetadata: 'off' }],
  ['OAUTH_CLIENT_METADATA', 'local', { oauthClientMetadata: 'local' }],
  ['OAUTH_REFRESH_GRACE_SECONDS', '30', { oauthRefreshGraceSeconds: 30 }],
  ['LEGACY_OBJECTS', 'true', { legacyObjects: true }],
  ['DELETED_FLIGHTS_DAYS', '0', { deletedFlightsDays: 0 }],
  ['PASSWORD_SIGN_IN', 'false', { passwordSignIn: false }],
  ['SETUP_CODE', 'twelve chars', { setupCode: 'twelve chars' }],
  // Without an issuer the other OIDC settings are ignored.
  ['OIDC_CLIENT_ID', 'paxlog', {}],
  ['OIDC_CLIENT_SECRET', 'secret', {}],
  ['OIDC_CLIENT_SECRET_FILE', '/nowhere', {}],
  ['OIDC_SIGN_UP', 'true', {}],
]

const forbiddenSchemes = 'http https javascript data vbscript file blob about intent ws wss ftp mailto'.split(' ')

const bad: Record<string, string[]> = {
  BASE_URL: [
    'example.org',
    '/flights',
    'ftp://example.org',
    'http:example.org',
    'http:/example.org',
    'http://',
    'https://example.org?a=b',
    'https://example.org/?',
    'https://example.org/#top',
    'https://ada@example.org',
    'https://ada:secret@example.org',
    'https://example.org/a//b',
    'https://example.org/../b',
    'https://example.org/a/.',
    'https://example.org/:user',
    'https://example.org/*',
    'https://example.org/a b',
    'https://example.org/%2e%2e/b',
    'https://example.org:99999',
    'https://exa mple.org',
    'https://example.org\\flights',
  ],
  HOST: [],
  PORT: ['-1', '65536', 'http', '3000.5', ' 3000', '0x10', '1e3', '99999999999'],
  DATA_DIR: [],
  DATABASE_URL: ['mysql://somewhere/paxlog', 'paxlog', 'postgres://some where/x', 'postgres://'],
  DATABASE_URL_FILE: [],
  LOG_LEVEL: ['INFO', 'verbose', '3'],
  ADDRESS_HEADER: ['X Forwarded', 'X-Forwarded-For:', 'X-Förwarded'],
  XFF_DEPTH: ['0', '21', '-1', 'one'],
  BODY_LIMIT: ['65535', '63K', '2G', '1025M', '20MB', '20 M', '20m', '-1', 'unlimited', '1.5M'],
  OAUTH_CLIENT_METADATA: ['true', 'ON', 'public'],
  OAUTH_REDIRECT_SCHEMES: [
    'cursor, vscode',
    'cursor,',
    ',',
    'Cursor',
    '1password',
    ...forbiddenSchemes,
    'cursor,https',
  ],
  OAUTH_REFRESH_GRACE_SECONDS: ['31', '-1', '5s'],
  LEGACY_OBJECTS: ['yes', '1', 'TRUE'],
  OIDC_ISSUER: [
    'id.example.org',
    'http://id.example.org',
    'http://127.0.0.1.example.org',
    'ftp://localhost',
    'https://id.example.org?tenant=1',
    'https://id.example.org/#top',
    'https://ada:secret@id.example.org',
  ],
  OIDC_CLIENT_ID: [],
  OIDC_CLIENT_SECRET: [],
  OIDC_CLIENT_SECRET_FILE: [],
  OIDC_NAME: [' ', 'Home ', 'x'.repeat(51)],
  OIDC_SCOPES: ['profile', 'openid,profile', 'openid  profile', ' openid'],
  OIDC_SIGN_UP: ['yes'],
  OIDC_LINK_BY_USERNAME: ['1'],
  OIDC_ROLE_CLAIM: ['x'.repeat(201)],
  SETUP_CODE: ['short', 'elevenchars', ' twelve chars', 'x'.repeat(201)],
  DELETED_FLIGHTS_DAYS: ['-1', '3651', '1.5', 'never'],
  PASSWORD_SIGN_IN: ['no'],
}

/** Errors do not repeat these values. */
const secrets = ['DATABASE_URL', 'SETUP_CODE']

describe('the settings', () => {
  test('are all tested with invalid values', () => {
    expect(Object.keys(bad)).toEqual(settings.map(({ name }) => name))
  })

  test('have the defaults of the contract', () => {
    expect(loadConfig({})).toEqual(defaults)
  })

  test('treat an empty value as unset', () => {
    expect(loadConfig(Object.fromEntries(settings.map(({ name }) => [name, ''])))).toEqual(defaults)
  })

  test.each(good)('accept %s=%s', (name, text, expected) => {
    expect(loadConfig({ [name]: text })).toEqual({ ...defaults, ...expected })
  })

  test('keep an explicit BASE_URL regardless of the port', () => {
    expect(loadConfig({ BASE_URL: 'https://log.example.org/', PORT: '0' }).baseUrl).toBe('https://log.example.org')
  })

  test('are frozen', () => {
    expect(Object.isFrozen(loadConfig({}))).toBe(true)
  })

  describe.each(Object.entries(bad).filter(([, texts]) => texts.length > 0))('reject an invalid %s', (name, texts) => {
    test.each(texts)('%j with a message that has the variable, the value and the allowed values', (text) => {
      const errors = errorsOf({ OIDC_CLIENT_ID: 'paxlog', [name]: text })
      const start = secrets.includes(name) ? `${name} must be ` : `${name} is "${text}", but it must be `
      expect(errors).toEqual([expect.stringMatching(/[^"]{10,}\.$/)])
      expect(errors[0]!.slice(0, start.length)).toBe(start)
    })
  })

  test('report all errors at once', () => {
    const errors = errorsOf({ PORT: 'http', LOG_LEVEL: 'loud', BODY_LIMIT: '1', LEGACY_OBJECTS: 'true' })
    expect(errors.map((error) => error.split(' ')[0])).toEqual(['PORT', 'LOG_LEVEL', 'BODY_LIMIT'])
  })

  test('read the URL of the database from a file and never print its content', () => {
    const file = join(temporaryFolder(), 'url')
    writeFileSync(file, 'postgres://me:secret@db/paxlog\n')
    expect(loadConfig({ DATABASE_URL_FILE: file }).databaseUrl).toBe('postgres://me:secret@db/paxlog')
    expect(errorsOf({ DATABASE_URL: 'postgres://db', DATABASE_URL_FILE: file })).toEqual([
      'DATABASE_URL and DATABASE_URL_FILE are both set. Set only one of them.',
    ])
    writeFileSync(file, 'mysql://me:secret@db/paxlog\n')
    expect(errorsOf({ DATABASE_URL_FILE: file })).toEqual([
      `DATABASE_URL_FILE is "${file}", but its content must be a URL that begins with postgres://.`,
    ])
    writeFileSync(file, '\n')
    expect(errorsOf({ DATABASE_URL_FILE: file })).toEqual([`DATABASE_URL_FILE is "${file}", but that file is empty.`])
    expect(errorsOf({ DATABASE_URL_FILE: '/nowhere' })).toEqual([
      'DATABASE_URL_FILE is "/nowhere", but that file cannot be read (ENOENT).',
    ])
  })

  describe('of an identity provider', () => {
    const needed = { OIDC_ISSUER: 'https://id.example.org/realms/home', OIDC_CLIENT_ID: 'paxlog' }
    const oidc = {
      issuer: 'https://id.example.org/realms/home',
      clientId: 'paxlog',
      clientSecret: undefined,
      name: 'id.example.org',
      scopes: 'openid profile',
      signUp: false,
      linkByUsername: false,
      roleClaim: undefined,
    }

    test('have the defaults of the contract, with the host of the issuer as name', () => {
      expect(loadConfig(needed)).toEqual({ ...defaults, oidc })
    })

    test('are returned as given', () => {
      const given = {
        OIDC_ISSUER: 'http://localhost:9000/',
        OIDC_CLIENT_SECRET: 'a secret',
        OIDC_NAME: 'Home sign-in',
        OIDC_SCOPES: 'openid profile groups',
        OIDC_SIGN_UP: 'true',
        OIDC_LINK_BY_USERNAME: 'true',
        OIDC_ROLE_CLAIM: 'realm_access.roles',
      }
      expect(loadConfig({ ...needed, ...given }).oidc).toEqual({
        issuer: 'http://localhost:9000/',
        clientId: 'paxlog',
        clientSecret: 'a secret',
        name: 'Home sign-in',
        scopes: 'openid profile groups',
        signUp: true,
        linkByUsername: true,
        roleClaim: 'realm_access.roles',
      })
    })

    test('read the secret from a file without the line break', () => {
      const file = join(temporaryFolder(), 'secret')
      writeFileSync(file, 'from a file\n')
      expect(loadConfig({ ...needed, OIDC_CLIENT_SECRET_FILE: file }).oidc?.clientSecret).toBe('from a file')
      writeFileSync(file, '\n')
      expect(errorsOf({ ...needed, OIDC_CLIENT_SECRET_FILE: file })).toEqual([
        `OIDC_CLIENT_SECRET_FILE is "${file}", but that file is empty.`,
      ])
    })

    test('report missing, conflicting and unreadable settings', () => {
      expect(errorsOf({ OIDC_ISSUER: needed.OIDC_ISSUER })).toEqual([
        'OIDC_CLIENT_ID is not set. Set it to the client id at the provider.',
      ])
      expect(errorsOf({ ...needed, OIDC_CLIENT_SECRET: 'x', OIDC_CLIENT_SECRET_FILE: '/nowhere' })).toEqual([
        'OIDC_CLIENT_SECRET and OIDC_CLIENT_SECRET_FILE are both set. Set only one of them.',
      ])
      expect(errorsOf({ ...needed, OIDC_CLIENT_SECRET_FILE: '/nowhere' })).toEqual([
        'OIDC_CLIENT_SECRET_FILE is "/nowhere", but that file cannot be read (ENOENT).',
      ])
    })
  })

  test('ignore other variables', () => {
    expect(loadConfig({ PATH: '/bin', PORTS: 'x' })).toEqual(defaults)
  })
})
