import * as oidc from 'openid-client'
import { loopbackNames } from '../../lib/loopback.ts'
import type { Secrets } from './attempt.ts'
import type { Person, ProviderSettings } from './contract.ts'
import { type Step, toIdentityError } from './provider-errors.ts'

const TIMEOUT_SECONDS = 5
const MAX_RESPONSE_BYTES = 1024 * 1024
const METADATA_TTL_MS = 3_600_000
const RETRY_AFTER_MS = 60_000
/** The library does not reload keys that are younger than this. */
const YOUNG_KEYS_SECONDS = 60

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

/** The only outgoing requests of Paxlog, to addresses from the provider's metadata. */
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
