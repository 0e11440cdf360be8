import * as oidc from 'openid-client'
import { loopbackNames } from '../../lib/loopback.ts'
import { english } from '../../messages/english.ts'
import type { Secrets } from './attempt.ts'
import { IdentityError, type IdentityErrorKind, type Person, type ProviderSettings } from './contract.ts'

const TIMEOUT_SECONDS = 5
const MAX_RESPONSE_BYTES = 1024 * 1024
const METADATA_TTL_MS = 3_600_000
const RETRY_AFTER_MS = 60_000
/** The library does not reload keys that are younger than this. */
const YOUNG_KEYS_SECONDS = 60

type Step = 'discovery' | 'token' | 'userinfo'

interface Failure {
  code: string
  error: string
  status: number
  claim: string | undefined
  otherIssuer: string | undefined
}

type Members = Record<string, unknown>
const toObject = (value: unknown): Members => (typeof value === 'object' && value !== null ? (value as Members) : {})

const shortCode = (text: unknown): string | undefined =>
  typeof text === 'string' && /^[\w.-]{1,60}$/.test(text) ? text : undefined

function causesOf(error: unknown): Members[] {
  const chain: Members[] = []
  for (let link = error; chain.length < 5 && typeof link === 'object' && link !== null; link = toObject(link).cause) {
    chain.push(link as Members)
  }
  return chain
}

function parseFailure(error: unknown): Failure {
  const chain = causesOf(error)
  const first = (name: string) => chain.map((link) => shortCode(link[name])).find(Boolean)
  const issuer = chain.map(({ body }) => toObject(body).issuer).find((issuer) => typeof issuer === 'string')
  return {
    code: first('code') ?? 'unknown',
    error: first('error') ?? 'unknown',
    status: Number(chain.find(({ status }) => typeof status === 'number')?.status ?? 0),
    claim: first('claim') ?? first('attribute'),
    otherIssuer: typeof issuer === 'string' && issuer.length <= 200 ? issuer : undefined,
  }
}

const { provider: texts } = english

const reasons: Record<string, typeof texts.untrusted> = {
  nonce: texts.untrustedNonce,
  iss: texts.untrustedIssuer,
  aud: texts.untrustedAudience,
  azp: texts.untrustedAudience,
  exp: texts.untrustedExpired,
  iat: texts.untrustedClock,
  nbf: texts.untrustedClock,
  auth_time: texts.untrustedSignInTime,
  sub: texts.untrustedUser,
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: texts.untrustedClock,
  OAUTH_KEY_SELECTION_FAILED: texts.untrustedKey,
  OAUTH_UNSUPPORTED_OPERATION: texts.untrustedAlgorithm,
  ANSWER_TOO_LARGE: texts.untrustedSize,
}

const NOT_A_PROVIDER = ['OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON', 'OAUTH_PARSE_ERROR']
const TIMEOUTS = ['OAUTH_TIMEOUT', 'OAUTH_ABORT']
const WITHOUT_HTTPS = ['ADDRESS_WITHOUT_HTTPS', 'OAUTH_HTTP_REQUEST_FORBIDDEN']

function toAuthorizationError({ error }: Failure, { name }: ProviderSettings): IdentityError {
  const fail = (kind: IdentityErrorKind, message: string) => new IdentityError(kind, message, { step: 'answer', error })
  if (error === 'access_denied') return fail('cancelled', texts.denied({ provider: name }))
  if (error === 'invalid_scope') return fail('settings', texts.scopeNotSupported({ provider: name }))
  if (error === 'unauthorized_client') {
    return fail('settings', texts.clientNotAllowed({ provider: name }))
  }
  return fail('cancelled', texts.returnedError({ provider: name, error }))
}

function toDiscoveryError({ code, otherIssuer }: Failure, settings: ProviderSettings): IdentityError | undefined {
  const { issuer, name: provider } = settings
  const fail = (message: string) => new IdentityError('settings', message, { step: 'discovery', cause: code })
  if (code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') {
    return fail(
      otherIssuer === undefined
        ? texts.unknownIssuer({ issuer, provider })
        : texts.otherIssuer({ issuer, provider, otherIssuer }),
    )
  }
  if (NOT_A_PROVIDER.includes(code)) return fail(texts.notAProvider({ issuer }))
  if (code === 'ENOTFOUND') return fail(texts.unknownHost({ issuer }))
  if (/CERT|SIGNATURE|SSL|TLS/.test(code)) return fail(texts.certificate({ issuer, error: code }))
  return undefined
}

/** Converts errors of the library. Nothing from the provider is repeated except short codes. */
export function toIdentityError(caught: unknown, step: Step, settings: ProviderSettings): IdentityError {
  const { name } = settings
  const failure = parseFailure(caught)
  const { code, error, status, claim } = failure
  const fail = (kind: IdentityErrorKind, message: string, detail: Record<string, string> = { cause: code }) =>
    new IdentityError(kind, message, { step, ...detail })
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') return toAuthorizationError(failure, settings)
  const wrongIssuer = step === 'discovery' && toDiscoveryError(failure, settings)
  if (wrongIssuer) return wrongIssuer
  if (WITHOUT_HTTPS.includes(code)) return fail('settings', texts.withoutHttps({ provider: name }))
  // fetch throws TypeErrors for network errors.
  if (status >= 500 || TIMEOUTS.includes(code) || caught instanceof TypeError) {
    return fail('unreachable', texts.noResponse({ provider: name }))
  }
  if (error === 'invalid_grant') {
    return fail('stale', texts.used({ provider: name }), { error })
  }
  if (step === 'token' && (error !== 'unknown' || status === 401)) {
    const message = texts.rejected({ provider: name })
    return fail('settings', message, { cause: code, error })
  }
  if (step === 'userinfo' && status >= 400) {
    return fail('untrusted', texts.noProfile({ provider: name }), { cause: code, error })
  }
  const message = reasons[claim ?? ''] ?? reasons[code] ?? texts.untrusted
  return fail('untrusted', message({ provider: name }), { cause: code, ...(claim && { claim }) })
}

export type Provider = ReturnType<typeof createProvider>

const codedError = (code: string) => Object.assign(new Error(code), { code })

async function readBody(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_RESPONSE_BYTES) throw codedError('ANSWER_TOO_LARGE')
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

/** Outgoing requests to addresses from the provider's metadata. */
async function callProvider(url: string, options: oidc.CustomFetchOptions): Promise<Response> {
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'https:' && !loopbackNames.includes(hostname)) {
    throw codedError('ADDRESS_WITHOUT_HTTPS')
  }
  const response = await fetch(url, options as RequestInit)
  const body = await readBody(response)
  const { status, headers } = response
  return new Response(body.length > 0 ? body : null, { status, headers })
}

export function createProvider(settings: ProviderSettings, redirectUri: string, now: () => number = Date.now) {
  const { issuer, clientId, clientSecret } = settings
  let cached: { metadata: string; renewAt: number } | undefined
  let reading: Promise<string> | undefined
  let keys: oidc.ExportedJWKSCache | undefined

  async function convertErrors<Result>(name: Step, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      throw toIdentityError(error, name, settings)
    }
  }

  /** Prefers client_secret_basic, the default of the protocol. */
  const authentication: oidc.ClientAuth = (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    if (clientSecret === undefined) return oidc.None()(server, client, body, headers)
    const method = methods.includes('client_secret_basic') ? oidc.ClientSecretBasic : oidc.ClientSecretPost
    return method(clientSecret)(server, client, body, headers)
  }

  function discoverConfiguration(readMetadata: oidc.CustomFetch): Promise<oidc.Configuration> {
    const execute = [oidc.enableNonRepudiationChecks]
    if (issuer.startsWith('http:')) execute.push(oidc.allowInsecureRequests)
    return convertErrors('discovery', () =>
      oidc.discovery(new URL(issuer), clientId, undefined, authentication, {
        execute,
        timeout: TIMEOUT_SECONDS,
        [oidc.customFetch]: readMetadata,
      }),
    )
  }

  async function discover(): Promise<string> {
    let metadata = ''
    await discoverConfiguration(async (url, options) => {
      const response = await callProvider(url, options)
      metadata = await response.clone().text()
      return response
    })
    return metadata
  }

  /** Concurrent callers share one request. Stale metadata is used while the provider is down. */
  async function currentMetadata(): Promise<string> {
    if (cached && now() < cached.renewAt) return cached.metadata
    reading ??= discover().finally(() => {
      reading = undefined
    })
    try {
      const metadata = await reading
      cached = { metadata, renewAt: now() + METADATA_TTL_MS }
    } catch (error) {
      if (!cached) throw error
      cached.renewAt = now() + RETRY_AFTER_MS
    }
    return cached.metadata
  }

  /** A new configuration for each call, because the library caches young keys in it. */
  async function configuration(): Promise<oidc.Configuration> {
    const metadata = await currentMetadata()
    const config = await discoverConfiguration(async () => Response.json(JSON.parse(metadata)))
    config[oidc.customFetch] = callProvider
    return config
  }

  /** Makes cached keys look older, so that the library looks for an unknown key at once. */
  async function withKeys<Result>(config: oidc.Configuration, work: () => Promise<Result>): Promise<Result> {
    const uat = Math.min(keys?.uat ?? 0, Math.floor(Date.now() / 1000) - YOUNG_KEYS_SECONDS)
    if (keys) oidc.setJwksCache(config, { ...keys, uat })
    try {
      return await work()
    } finally {
      const read = oidc.getJwksCache(config)
      if (read && read.uat > uat) keys = read
    }
  }

  /** `fresh` requires the user to sign in again at the provider. */
  async function authorizationUrl({ state, nonce, verifier }: Secrets, fresh: boolean): Promise<string> {
    const config = await configuration()
    const challenge = await oidc.calculatePKCECodeChallenge(verifier)
    const url = oidc.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: settings.scopes,
      state,
      nonce,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      ...(fresh && { prompt: 'login', max_age: '0' }),
    })
    return url.href
  }

  /** The library validates state, issuer, audience, nonce, times and signature. */
  async function fetchPerson(answer: URLSearchParams, secrets: Secrets, secondsSince?: number): Promise<Person> {
    const config = await configuration()
    const exchange = () =>
      oidc.authorizationCodeGrant(config, new URL(`${redirectUri}?${answer}`), {
        expectedState: secrets.state,
        expectedNonce: secrets.nonce,
        pkceCodeVerifier: secrets.verifier,
        idTokenExpected: true,
        ...(secondsSince !== undefined && { maxAge: secondsSince }),
      })
    const tokens = await convertErrors('token', () => withKeys(config, exchange))
    const claims = tokens.claims()!
    if (!config.serverMetadata().userinfo_endpoint) return { subject: claims.sub, claims }
    const more = await convertErrors('userinfo', () => oidc.fetchUserInfo(config, tokens.access_token, claims.sub))
    return { subject: claims.sub, claims: { ...claims, ...more } }
  }

  return {
    authorizationUrl,
    fetchPerson,
    check: async (): Promise<void> => void (await currentMetadata()),
  }
}
