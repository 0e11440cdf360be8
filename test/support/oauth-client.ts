import { hash, randomBytes } from 'node:crypto'
import type { Paxlog, TestUser } from './paxlog.ts'

export const pkce = () => {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: hash('sha256', verifier, 'base64url') }
}

export interface Tokens {
  access_token: string
  refresh_token: string
  token_type: string
  expires_in: number
  scope: string
}

interface Approval {
  scopes?: readonly string[]
  /** The scopes that the user approves; defaults to the requested ones. */
  approved?: readonly string[]
  resource?: 'v1' | 'mcp'
  redirectUri?: string
  state?: string
}

const REDIRECT = 'https://board.example/cb'

/** An OAuth client of a test instance. Its user approves with the functions of the consent page. */
export async function oauthClient(app: Paxlog, metadata: Record<string, unknown> = {}) {
  const registered = await app.request({
    method: 'POST',
    url: '/oauth/register',
    headers: { 'content-type': 'application/json' },
    payload: { redirect_uris: [REDIRECT], client_name: 'Trip board', ...metadata },
  })
  if (registered.status !== 201) throw new Error(`registration failed: ${registered.text}`)
  const { client_id: id, client_secret: secret } = registered.body as { client_id: string; client_secret?: string }
  const { oauth } = app.services

  /** Requests authorization and decides; returns the redirect URL. */
  async function decide(user: TestUser, challenge: string, approve: boolean, approval: Approval = {}): Promise<URL> {
    const { scopes = ['flight.read.own'], resource = 'v1', redirectUri = REDIRECT, state = 'st' } = approval
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: id,
      redirect_uri: redirectUri,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      resource: oauth.resources.urls[resource],
      scope: scopes.join(' '),
      state,
    })
    const browser = randomBytes(32).toString('base64url')
    const { id: pendingId } = await oauth.authorize.begin(query, browser)
    const consent = await oauth.authorize.pendingFor(pendingId, browser, user.id)
    const account = app.services.users.findByName(user.username)!
    const decision = { approve, scopes: approval.approved ?? scopes }
    return new URL(await oauth.authorize.decide(consent, { id: user.id, permissions: account.permissions }, decision))
  }

  const code = async (user: TestUser, challenge: string, approval?: Approval) =>
    (await decide(user, challenge, true, approval)).searchParams.get('code')!

  const post = (path: string, form: Record<string, string> | string, headers: Record<string, string> = {}) =>
    app.request({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: typeof form === 'string' ? form : new URLSearchParams(form).toString(),
    })

  const identity = { client_id: id, ...(secret !== undefined && { client_secret: secret }) }

  const exchange = (code: string, verifier: string, more: Record<string, string> = {}) =>
    post('/oauth/token', {
      grant_type: 'authorization_code',
      ...identity,
      code,
      code_verifier: verifier,
      resource: oauth.resources.urls.v1,
      ...more,
    })

  const refresh = (token: string, more: Record<string, string> = {}) =>
    post('/oauth/token', {
      grant_type: 'refresh_token',
      ...identity,
      refresh_token: token,
      resource: oauth.resources.urls.v1,
      ...more,
    })

  const revoke = (token: string, more: Record<string, string> = {}) =>
    post('/oauth/revoke', { ...identity, token, ...more })

  /** Runs the complete flow and returns the first tokens. */
  async function connect(user: TestUser, approval: Approval = {}): Promise<Tokens> {
    const { verifier, challenge } = pkce()
    const resource = oauth.resources.urls[approval.resource ?? 'v1']
    const answer = await exchange(await code(user, challenge, approval), verifier, { resource })
    if (answer.status !== 200) throw new Error(`exchange failed: ${answer.text}`)
    return answer.body as Tokens
  }

  return { id, secret, registered, decide, code, post, exchange, refresh, revoke, connect }
}
