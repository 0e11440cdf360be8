import * as oidc from 'openid-client'
import { loopbackNames } from '../../lib/loopback.ts'
import type { Secrets } from './attempt.ts'
import type { Person, ProviderSettings } from './contract.ts'
import { faultOf, type Step } from './provider-faults.ts'

const TIMEOUT_SECONDS = 5
const MOST_BYTES = 1024 * 1024
const RENEW_AFTER_MS = 3_600_000
const TRY_AGAIN_AFTER_MS = 60_000
/** Keys that are younger than this are never read again by the library, which keeps them for five minutes. */
const YOUNG_KEYS_SECONDS = 60

export type Provider = ReturnType<typeof createProvider>

const coded = (code: string) => Object.assign(new Error(code), { code })

/** Reads no more than anybody needs; the time-out of the call goes on while it reads. */
async function boundedBody(response: Response): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > MOST_BYTES) throw coded('ANSWER_TOO_LARGE')
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}

/** The only place where Paxlog calls somebody: the provider, at the addresses that its own metadata name. */
async function callProvider(url: string, options: oidc.CustomFetchOptions): Promise<Response> {
  const { protocol, hostname } = new URL(url)
  if (protocol !== 'https:' && !loopbackNames.includes(hostname)) {
    throw coded('ADDRESS_WITHOUT_HTTPS')
  }
  const response = await fetch(url, options as RequestInit)
  const body = await boundedBody(response)
  const { status, headers } = response
  return new Response(body.length > 0 ? body : null, { status, headers })
}

/** OpenID Connect as the certified library does it: nothing of the protocol is written here. */
export function createProvider(settings: ProviderSettings, redirectUri: string, now: () => number = Date.now) {
  const { issuer, clientId, clientSecret } = settings
  let known: { metadata: string; renewAt: number } | undefined
  let reading: Promise<string> | undefined
  let keys: oidc.ExportedJWKSCache | undefined

  async function step<Result>(name: Step, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      throw faultOf(error, name, settings)
    }
  }

  /** With the secret in a header where the provider takes it there, which is what the protocol wants by default. */
  const authentication: oidc.ClientAuth = (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    if (clientSecret === undefined) return oidc.None()(server, client, body, headers)
    const method = methods.includes('client_secret_basic') ? oidc.ClientSecretBasic : oidc.ClientSecretPost
    return method(clientSecret)(server, client, body, headers)
  }

  function configured(readMetadata: oidc.CustomFetch): Promise<oidc.Configuration> {
    const execute = [oidc.enableNonRepudiationChecks]
    if (issuer.startsWith('http:')) execute.push(oidc.allowInsecureRequests)
    return step('discovery', () =>
      oidc.discovery(new URL(issuer), clientId, undefined, authentication, {
        execute,
        timeout: TIMEOUT_SECONDS,
        [oidc.customFetch]: readMetadata,
      }),
    )
  }

  async function discover(): Promise<string> {
    let metadata = ''
    await configured(async (url, options) => {
      const response = await callProvider(url, options)
      metadata = await response.clone().text()
      return response
    })
    return metadata
  }

  /** One call for everybody who waits; what was read once is used on while the provider is down. */
  async function currentMetadata(): Promise<string> {
    if (known && now() < known.renewAt) return known.metadata
    reading ??= discover().finally(() => {
      reading = undefined
    })
    try {
      const metadata = await reading
      known = { metadata, renewAt: now() + RENEW_AFTER_MS }
    } catch (error) {
      if (!known) throw error
      known.renewAt = now() + TRY_AGAIN_AFTER_MS
    }
    return known.metadata
  }

  /** One for each call, of what was read before: in one that is kept the library would keep young keys too. */
  async function configuration(): Promise<oidc.Configuration> {
    const metadata = await currentMetadata()
    const config = await configured(async () => Response.json(JSON.parse(metadata)))
    config[oidc.customFetch] = callProvider
    return config
  }

  /** Lends the known keys as if they were older, so that a key that is not among them is looked for at once. */
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

  /** Where the browser goes. Fresh: whoever is signed in there must prove it again. */
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

  /** Exchanges the code; the library checks state, issuer, audience, nonce, times and signature. */
  async function person(answer: URLSearchParams, secrets: Secrets, secondsSince?: number): Promise<Person> {
    const config = await configuration()
    const exchange = () =>
      oidc.authorizationCodeGrant(config, new URL(`${redirectUri}?${answer}`), {
        expectedState: secrets.state,
        expectedNonce: secrets.nonce,
        pkceCodeVerifier: secrets.verifier,
        idTokenExpected: true,
        ...(secondsSince !== undefined && { maxAge: secondsSince }),
      })
    const tokens = await step('token', () => withKeys(config, exchange))
    const claims = tokens.claims()!
    if (!config.serverMetadata().userinfo_endpoint) return { subject: claims.sub, claims }
    const more = await step('userinfo', () => oidc.fetchUserInfo(config, tokens.access_token, claims.sub))
    return { subject: claims.sub, claims: { ...claims, ...more } }
  }

  return {
    authorizationUrl,
    person,
    /** Reads the metadata when they are due. */
    check: async (): Promise<void> => void (await currentMetadata()),
  }
}
