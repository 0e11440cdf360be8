import { IdentityError, type IdentityErrorKind, type ProviderSettings } from './contract.ts'

export type Step = 'discovery' | 'token' | 'userinfo'

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

const CLOCK_SKEW = 'its time is wrong; check the clocks of both machines'

const reasons: Record<string, string> = {
  nonce: 'it belongs to another sign-in',
  iss: 'it was issued by another provider',
  aud: 'it is meant for another application',
  azp: 'it is meant for another application',
  exp: 'it has expired',
  iat: CLOCK_SKEW,
  nbf: CLOCK_SKEW,
  auth_time: 'it does not confirm that you have just signed in there',
  sub: 'it is about another user',
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: CLOCK_SKEW,
  OAUTH_KEY_SELECTION_FAILED: 'it is signed with a key that the provider does not publish',
  OAUTH_UNSUPPORTED_OPERATION: 'its signature algorithm is not supported; configure RS256 or ES256 at the provider',
  ANSWER_TOO_LARGE: 'it is larger than 1 MiB',
}

const NOT_A_PROVIDER = ['OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON', 'OAUTH_PARSE_ERROR']
const TIMEOUTS = ['OAUTH_TIMEOUT', 'OAUTH_ABORT']
const WITHOUT_HTTPS = ['ADDRESS_WITHOUT_HTTPS', 'OAUTH_HTTP_REQUEST_FORBIDDEN']

function toAuthorizationError({ error }: Failure, { name }: ProviderSettings): IdentityError {
  const fail = (kind: IdentityErrorKind, message: string) => new IdentityError(kind, message, { step: 'answer', error })
  if (error === 'access_denied') return fail('cancelled', `The sign-in with ${name} was denied or cancelled.`)
  if (error === 'invalid_scope') return fail('settings', `${name} does not support a scope in OIDC_SCOPES.`)
  if (error === 'unauthorized_client') {
    return fail('settings', `${name} does not allow this for the client in OIDC_CLIENT_ID.`)
  }
  return fail('cancelled', `${name} returned the error ${error}.`)
}

function toDiscoveryError({ code, otherIssuer }: Failure, settings: ProviderSettings): IdentityError | undefined {
  const fail = (problem: string) => {
    const message = `OIDC_ISSUER is ${settings.issuer}, but ${problem}`
    return new IdentityError('settings', message, { step: 'discovery', cause: code })
  }
  if (code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') {
    return fail(`${settings.name} calls itself ${otherIssuer ?? 'something else'}. Both must be the same.`)
  }
  if (NOT_A_PROVIDER.includes(code)) return fail('there is no identity provider, or it is not set up yet.')
  if (code === 'ENOTFOUND') return fail('that host is unknown.')
  if (/CERT|SIGNATURE|SSL|TLS/.test(code)) return fail(`the certificate there is not accepted (${code}).`)
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
  if (WITHOUT_HTTPS.includes(code)) return fail('settings', `${name} has an endpoint without https.`)
  // fetch throws TypeErrors for network errors.
  if (status >= 500 || TIMEOUTS.includes(code) || caught instanceof TypeError) {
    return fail('unreachable', `${name} does not respond. Try again later.`)
  }
  if (error === 'invalid_grant') {
    return fail('stale', `This sign-in was already used or has expired at ${name}.`, { error })
  }
  if (step === 'token' && (error !== 'unknown' || status === 401)) {
    const message = `${name} rejected this instance. Check OIDC_CLIENT_ID and OIDC_CLIENT_SECRET.`
    return fail('settings', message, { cause: code, error })
  }
  if (step === 'userinfo' && status >= 400) {
    return fail('untrusted', `${name} did not return your profile.`, { cause: code, error })
  }
  const reason = reasons[claim ?? ''] ?? reasons[code]
  const message = `The response of ${name} cannot be trusted${reason ? `: ${reason}` : ''}.`
  return fail('untrusted', message, { cause: code, ...(claim && { claim }) })
}
