import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'

/** A handler that replaces the response of a path. */
type Answer = (request: IncomingMessage, response: ServerResponse) => void

const json =
  (value: unknown, status = 200): Answer =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  }

/** An OpenID provider whose responses tests can replace. All others are correct. */
export async function startFaultyProvider() {
  const server = createServer((request, response) => {
    const path = new URL(request.url!, 'http://x').pathname
    calls.push(`${request.method} ${path}`)
    const answer = replacements.get(path) ?? defaultResponse[path as keyof typeof defaultResponse]
    if (answer) answer(request, response)
    else response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  const calls: string[] = []
  const replacements = new Map<string, Answer>()
  let key = await generateKeyPair('RS256')
  let kid = 'one'
  const unknownKey = await generateKeyPair('RS256')
  let idToken = ''

  const defaultResponse = {
    '/.well-known/openid-configuration': ((request, response) => json(metadata)(request, response)) as Answer,
    '/jwks': (async (request, response) => {
      const jwk = await exportJWK(key.publicKey)
      json({ keys: [{ ...jwk, kid, alg: 'RS256', use: 'sig' }] })(request, response)
    }) as Answer,
    '/token': ((request, response) =>
      json({ access_token: 'an access token', token_type: 'Bearer', id_token: idToken })(request, response)) as Answer,
    '/userinfo': json({ sub: 'ada', preferred_username: 'ada' }),
  }
  let metadata: Record<string, unknown> = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    userinfo_endpoint: `${issuer}/userinfo`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'HS256', 'none'],
    code_challenge_methods_supported: ['S256'],
  }

  interface Token {
    claims?: JWTPayload
    alg?: 'RS256' | 'HS256' | 'none'
    by?: 'stranger' | 'changed'
  }

  /** Sets the next ID token for the sign-in that started with this URL. */
  async function prepare(address: string, { claims = {}, alg = 'RS256', by }: Token = {}): Promise<void> {
    const now = Math.floor(Date.now() / 1000)
    const nonce = new URL(address).searchParams.get('nonce')
    const payload = { iss: issuer, aud: 'paxlog', sub: 'ada', iat: now, exp: now + 300, nonce, ...claims }
    if (alg === 'none') {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
      idToken = `${part({ alg })}.${part(payload)}.`
      return
    }
    const secret = alg === 'HS256' ? Buffer.from('the secret of the client') : undefined
    const signedBy = secret ?? (by === 'stranger' ? unknownKey.privateKey : key.privateKey)
    const header = { alg, ...(alg === 'RS256' && { kid: by === 'stranger' ? 'unpublished' : kid }) }
    idToken = await new SignJWT(payload as JWTPayload).setProtectedHeader(header).sign(signedBy)
    if (by === 'changed') {
      const [start, body, signature] = idToken.split('.')
      const other = { ...JSON.parse(Buffer.from(body!, 'base64url').toString()), sub: 'mira' }
      idToken = `${start}.${Buffer.from(JSON.stringify(other)).toString('base64url')}.${signature}`
    }
  }

  return {
    issuer,
    calls,
    json,
    prepare,
    /** Replaces the response of a path until `mend`. */
    spoil: (path: string, answer: Answer) => void replacements.set(path, answer),
    mend: () => replacements.clear(),
    setMetadata: (more: Record<string, unknown>) => {
      metadata = { ...metadata, ...more }
    },
    /** Replaces the signing key and publishes only the new one. */
    newKey: async () => {
      key = await generateKeyPair('RS256')
      kid = crypto.randomUUID()
    },
    async stop(): Promise<void> {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
