import { IdentityFault, type ProviderSettings } from './contract.ts'

/** At which call of the provider something went wrong. */
export type Step = 'discovery' | 'token' | 'userinfo'

/** What the library's errors have in common; the codes are its own. */
interface Failure {
  code: string
  /** The code of the protocol that the provider sent. */
  error: string
  status: number
  /** What was compared with what was expected. */
  claim: string | undefined
  /** The issuer that the provider names instead. */
  otherIssuer: string | undefined
}

type Members = Record<string, unknown>
const membersOf = (value: unknown): Members => (typeof value === 'object' && value !== null ? (value as Members) : {})

/** Codes are short words; anything else that a provider says there is not repeated. */
const word = (text: unknown): string | undefined =>
  typeof text === 'string' && /^[\w.-]{1,60}$/.test(text) ? text : undefined

/** The error and what caused it, the outermost first. */
function chainOf(error: unknown): Members[] {
  const chain: Members[] = []
  for (let link = error; chain.length < 5 && typeof link === 'object' && link !== null; link = membersOf(link).cause) {
    chain.push(link as Members)
  }
  return chain
}

function failureOf(error: unknown): Failure {
  const chain = chainOf(error)
  const first = (name: string) => chain.map((link) => word(link[name])).find(Boolean)
  const named = chain.map(({ body }) => membersOf(body).issuer).find((issuer) => typeof issuer === 'string')
  return {
    code: first('code') ?? 'unknown',
    error: first('error') ?? 'unknown',
    status: Number(chain.find(({ status }) => typeof status === 'number')?.status ?? 0),
    claim: first('claim') ?? first('attribute'),
    otherIssuer: typeof named === 'string' && named.length <= 200 ? named : undefined,
  }
}

const CLOCKS = 'its time is not right; compare the clocks of both machines'

/** What is wrong with an answer that cannot be trusted, by the claim or by the code. */
const reasons: Record<string, string> = {
  nonce: 'it belongs to another sign-in',
  iss: 'it comes from another issuer',
  aud: 'it is meant for another application',
  azp: 'it is meant for another application',
  exp: 'it has expired',
  iat: CLOCKS,
  nbf: CLOCKS,
  auth_time: 'it does not say that you have just signed in there',
  sub: 'it is about somebody else',
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: CLOCKS,
  OAUTH_KEY_SELECTION_FAILED: 'it is signed with a key that the provider does not publish',
  OAUTH_UNSUPPORTED_OPERATION: 'it is signed in a way that is not accepted; let the provider sign with RS256 or ES256',
  ANSWER_TOO_LARGE: 'it is larger than 1 MiB',
}

const NOTHING_THERE = ['OAUTH_RESPONSE_IS_NOT_CONFORM', 'OAUTH_RESPONSE_IS_NOT_JSON', 'OAUTH_PARSE_ERROR']
const NO_ANSWER = ['OAUTH_TIMEOUT', 'OAUTH_ABORT']
const WITHOUT_HTTPS = ['ADDRESS_WITHOUT_HTTPS', 'OAUTH_HTTP_REQUEST_FORBIDDEN']

/** What the browser brought back instead of a code. */
function answerFault({ error }: Failure, { name }: ProviderSettings): IdentityFault {
  const detail = { step: 'answer', error }
  if (error === 'access_denied') {
    return new IdentityFault('cancelled', `${name} did not let you in, or you broke off there.`, detail)
  }
  if (error === 'invalid_scope') {
    return new IdentityFault('settings', `${name} does not know a scope in OIDC_SCOPES.`, detail)
  }
  if (error === 'unauthorized_client') {
    return new IdentityFault('settings', `${name} does not let the client in OIDC_CLIENT_ID do this.`, detail)
  }
  return new IdentityFault('cancelled', `${name} answered with the error ${error}.`, detail)
}

function discoveryFault({ code, otherIssuer }: Failure, settings: ProviderSettings): IdentityFault | undefined {
  const { name, issuer } = settings
  const wrong = (sentence: string) => new IdentityFault('settings', sentence, { step: 'discovery', cause: code })
  if (code === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') {
    const other = otherIssuer ?? 'something else'
    return wrong(`OIDC_ISSUER is ${issuer}, but ${name} calls itself ${other}: both must be the same.`)
  }
  if (NOTHING_THERE.includes(code)) {
    return wrong(`OIDC_ISSUER is ${issuer}, but there is no identity provider, or it is not set up yet.`)
  }
  if (code === 'ENOTFOUND') return wrong(`OIDC_ISSUER is ${issuer}, but that host is not known.`)
  if (/CERT|SIGNATURE|SSL|TLS/.test(code)) {
    return wrong(`OIDC_ISSUER is ${issuer}, but the certificate there is not accepted (${code}).`)
  }
  return undefined
}

/** Every failure of the library as one sentence; nothing that the provider sent goes into it, save short codes. */
export function faultOf(caught: unknown, step: Step, settings: ProviderSettings): IdentityFault {
  const { name } = settings
  const failure = failureOf(caught)
  const { code, error, status, claim } = failure
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') return answerFault(failure, settings)
  const wrongIssuer = step === 'discovery' && discoveryFault(failure, settings)
  if (wrongIssuer) return wrongIssuer
  if (WITHOUT_HTTPS.includes(code)) {
    return new IdentityFault('settings', `${name} names an address of its own without https.`, { step, cause: code })
  }
  // A TypeError is what fetch throws for whatever the network does.
  if (status >= 500 || NO_ANSWER.includes(code) || caught instanceof TypeError) {
    const sentence = `${name} does not answer at the moment. Try again in a while.`
    return new IdentityFault('unreachable', sentence, { step, cause: code })
  }
  if (error === 'invalid_grant') {
    return new IdentityFault('stale', `${name} says that this sign-in was used already or is too old.`, { step, error })
  }
  if (step === 'token' && (error !== 'unknown' || status === 401)) {
    const sentence = `${name} refuses this instance: OIDC_CLIENT_ID or OIDC_CLIENT_SECRET is wrong.`
    return new IdentityFault('settings', sentence, { step, cause: code, error })
  }
  if (step === 'userinfo' && status >= 400) {
    return new IdentityFault('untrusted', `${name} does not tell who you are.`, { step, cause: code, error })
  }
  const reason = reasons[claim ?? ''] ?? reasons[code]
  const sentence = `The answer of ${name} cannot be trusted${reason ? `: ${reason}` : ''}.`
  return new IdentityFault('untrusted', sentence, { step, cause: code, ...(claim && { claim }) })
}
