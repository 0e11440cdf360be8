import { describe, expect, test } from 'vitest'
import { unusedTime } from '../../support/app-pool.ts'
import { browserSession } from '../../support/browser-session.ts'
import { type DocumentServer, documentServer, sendJson } from '../../support/document-server.ts'
import { pkce } from '../../support/oauth-client.ts'
import { openAgain, type Paxlog, type PaxlogOptions, paxlog, type TestUser } from '../../support/paxlog.ts'

const REDIRECT = 'https://board.example/cb'
const MINUTE_MS = 60_000

const localPaxlog = (options: PaxlogOptions = {}) => paxlog({ oauthClientMetadata: 'local', ...options })

type App = Pick<Paxlog, 'app' | 'request' | 'services'>
type Change = Record<string, string>

function authorizeUrl(clientId: string, challenge: string, change: Change = {}): string {
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT,
    code_challenge: challenge,
    code_challenge_method: 'S256',
    resource: 'http://localhost:3000/api/v1',
    scope: 'profile.read',
    state: 'st',
    ...change,
  }
  return `/oauth/authorize?${new URLSearchParams(parameters)}`
}

async function browserOf(app: App, user: TestUser) {
  const session = browserSession(app.app)
  session.jar.set('paxlog', await app.services.sessions.start(user.id))
  return session
}

type Session = ReturnType<typeof browserSession>

/** Opens the consent page for an authorization request. */
async function openConsent(session: Session, clientId: string, change: Change = {}) {
  const { verifier, challenge } = pkce()
  const redirect = await session.get(authorizeUrl(clientId, challenge, change))
  expect([redirect.status, redirect.location]).toEqual([303, expect.stringMatching(/^\/oauth\/consent\?id=/)])
  const { html } = await session.get(redirect.location!)
  const form = html.split('action="/oauth/consent"')[1]!
  const field = (name: string) => new RegExp(`name="${name}" value="([^"]+)"`).exec(form)![1]!

  /** Returns the parameters of the redirect to the application. */
  async function approve(): Promise<URLSearchParams> {
    const fields = { id: field('id'), csrf: field('csrf'), decision: 'approve', scope: 'profile.read' }
    const { location } = await session.post('/oauth/consent', fields)
    return new URL(location!).searchParams
  }
  return { html, approve, verifier }
}

const post = (app: App, path: string, form: Record<string, string>) =>
  app.request({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams(form).toString(),
  })

const resource = 'http://localhost:3000/api/v1'

const exchange = (app: App, clientId: string, code: string, verifier: string) =>
  post(app, '/oauth/token', {
    grant_type: 'authorization_code',
    client_id: clientId,
    code,
    code_verifier: verifier,
    redirect_uri: REDIRECT,
    resource,
  })

const refresh = (app: App, clientId: string, refreshToken: string) =>
  post(app, '/oauth/token', { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken, resource })

async function connect(app: App, user: TestUser, clientId: string) {
  const consent = await openConsent(await browserOf(app, user), clientId)
  const { status, body } = await exchange(app, clientId, (await consent.approve()).get('code')!, consent.verifier)
  expect(status).toBe(200)
  return body as { access_token: string; refresh_token: string }
}

async function refusal(session: Session, clientId: string, change: Change = {}): Promise<string> {
  const { status, location, html } = await session.get(authorizeUrl(clientId, pkce().challenge, change))
  expect([status, location]).toEqual([400, undefined])
  return html
}

const requestsFor = (server: DocumentServer, url: string) =>
  server.requests.filter((request) => server.origin + request.url === url).length

/** The text of a page without tags. */
const textOf = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ')

describe('a client that is identified by the URL of its metadata', () => {
  test('Q10: sees a consent page with its host as the only verified part', async () => {
    const app = await localPaxlog()
    app.user({ owner: true })
    const server = await documentServer()
    const url = server.publish({ client_name: 'Trip <b>board</b>\u202e', client_uri: 'https://board.example/about' })
    const { html } = await openConsent(await browserOf(app, app.user()), url)
    const text = textOf(html)
    expect(text).toContain('Connect Trip &lt;b>board&lt;/b> ?')
    expect(text).toContain('Only its host is verified. Anyone can choose the name and the website.')
    expect(text).toContain(`Host (verified) ${new URL(url).host}`)
    expect(text).toContain('Website (unverified) https://board.example/about')
    expect(html).not.toContain('href="https://board.example')
    expect(text).toContain('Redirects to board.example')
    expect(text).not.toContain('on your own computer')
  })

  test('Q10: is shown by its host if it has no name, and without a website that is not https', async () => {
    const app = await localPaxlog()
    const session = await browserOf(app, app.user({ owner: true }))
    const server = await documentServer()
    for (const client_uri of ['http://board.example/', 'javascript:alert(1)', 'https://a:b@board.example/', 7, null]) {
      const url = server.publish({ client_name: undefined, client_uri })
      const { html } = await openConsent(session, url)
      expect(textOf(html)).toContain(`Connect ${new URL(url).host} ?`)
      expect(html).not.toContain('Website')
    }
  })

  test('A3 Q10: redirects to any port on loopback, and consent warns that any program can claim to be the client', async () => {
    const app = await localPaxlog()
    const session = await browserOf(app, app.user({ owner: true }))
    const server = await documentServer()
    const names = ['127.0.0.1', '[::1]', 'localhost']
    const url = server.publish({ redirect_uris: names.map((name) => `http://${name}/cb`) })
    for (const name of names) {
      const consent = await openConsent(session, url, { redirect_uri: `http://${name}:49152/cb` })
      expect(textOf(consent.html)).toContain('Any program on your computer can claim to be this application.')
      expect((await consent.approve()).get('code')).toBeTruthy()
    }
    expect(await refusal(session, url, { redirect_uri: 'http://127.0.0.1:49152/other' })).toContain('not registered')
  })

  test('Q13: has no logo and may have unknown members, also another list of grant types', async () => {
    const app = await localPaxlog()
    const server = await documentServer()
    const url = server.publish({
      logo_uri: `${server.origin}/logo.png`,
      jwks_uri: `${server.origin}/jwks`,
      grant_types: ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code'],
      application_type: 'native',
      token_endpoint_auth_method: 'none',
    })
    const { html } = await openConsent(await browserOf(app, app.user({ owner: true })), url)
    expect(html).not.toContain('logo.png')
    expect(server.requests.map((request) => server.origin + request.url)).toEqual([url])
  })

  test('S8: is fetched only for a signed-in user, whose request continues after the sign-in', async () => {
    const app = await localPaxlog()
    await app.services.users.createOwner({ username: 'mira', displayName: 'Mira', password: 'correct horse battery' })
    const server = await documentServer()
    const url = server.publish()
    const session = browserSession(app.app)
    const address = authorizeUrl(url, pkce().challenge, { state: 'ü \\ &#' })
    const { status, location } = await session.get(address)
    expect([status, location]).toEqual([303, `/login?next=${encodeURIComponent(address)}`])
    expect(server.requests).toEqual([])
    const next = new URL(location!, 'http://localhost').searchParams.get('next')!
    const signedIn = await session.signIn('mira', 'correct horse battery', { next })
    expect([signedIn.status, signedIn.location]).toEqual([303, address])
    expect((await session.get(signedIn.location!)).location).toMatch(/^\/oauth\/consent\?id=/)
    expect(server.requests).toHaveLength(1)
    // A URL that is never fetched is refused at once.
    expect(await refusal(browserSession(app.app), 'https://user@app.example/c')).toContain('normalized https URL')
  })

  test('keeps its grant and tokens after a restart and without its document', async () => {
    const app = await localPaxlog({ unused: true })
    const user = app.user({ owner: true })
    const server = await documentServer()
    const url = server.publish()
    const tokens = await connect(app, user, url)
    expect(
      (await app.request({ url: '/api/v1/me', headers: { authorization: `Bearer ${tokens.access_token}` } })).body.data
        .credential,
    ).toEqual({ kind: 'oauth', scopes: ['profile.read'] })
    server.serve((response) => response.writeHead(410).end(), new URL(url).pathname)
    const fetched = server.requests.length

    for (const oauthClientMetadata of ['on', 'off'] as const) {
      const restarted = await openAgain(app.dataDir, { oauthClientMetadata })
      expect((await restarted.as(tokens.access_token).get('/me')).status).toBe(200)
      const { status, body } = await refresh(restarted, url, tokens.refresh_token)
      expect([oauthClientMetadata, status]).toEqual([oauthClientMetadata, 200])
      expect((await restarted.as(body.access_token).get('/me')).status).toBe(200)
      Object.assign(tokens, body)
      const [grant] = restarted.services.oauth.connections.list(user.id)
      expect(grant).toMatchObject({ name: 'Trip board', redirectHost: 'board.example', scopes: ['profile.read'] })
    }
    expect(server.requests).toHaveLength(fetched)
    const revoked = await post(app, '/oauth/revoke', { client_id: url, token: tokens.refresh_token })
    expect(revoked.status).toBe(200)
    expect((await app.as(tokens.access_token).get('/me')).status).toBe(401)
  })

  test('is the same client for all users, and a different one at another URL', async () => {
    const app = await localPaxlog()
    const [one, two] = [app.user({ owner: true }), app.user()]
    const server = await documentServer()
    const [url, other] = [server.publish(), server.publish()]
    const tokens = await connect(app, one, url)
    await connect(app, two, url)
    await connect(app, one, other)
    expect(app.db.$client.prepare('select id from oauth_clients order by id').pluck().all()).toEqual(
      [url, other].sort(),
    )
    expect(app.services.oauth.connections.list(one.id)).toHaveLength(2)
    const stolen = await refresh(app, other, tokens.refresh_token)
    expect([stolen.status, stolen.body.error]).toEqual([400, 'invalid_grant'])
    expect((await refresh(app, `${url}?x`, tokens.refresh_token)).body.error).toBe('invalid_client')
  })

  test('is deleted a day after its last request if it has no grant', async () => {
    let now = unusedTime()
    const app = await localPaxlog({ now: () => now })
    const user = app.user({ owner: true })
    const server = await documentServer()
    const [granted, asked] = [server.publish(), server.publish()]
    await connect(app, user, granted)
    await openConsent(await browserOf(app, user), asked)
    const stored = () => app.db.$client.prepare('select id from oauth_clients order by id').pluck().all()
    expect(stored()).toEqual([granted, asked].sort())
    now += 25 * 60 * MINUTE_MS
    await app.services.oauth.purge()
    expect(stored()).toEqual([granted])
  })
})

describe('the cache of client id metadata documents', () => {
  test('Q9 Q11: keeps a document for 5 minutes, then reads it again and asks for consent again', async () => {
    let now = unusedTime()
    const app = await localPaxlog({ now: () => now })
    const user = app.user({ owner: true })
    const server = await documentServer()
    const url = server.publish({}, { 'cache-control': 'no-store' })
    await connect(app, user, url)
    const change = { client_id: url, client_name: 'Board 2', redirect_uris: ['https://board.example/2'] }
    server.serve(sendJson(change), new URL(url).pathname)
    now += 5 * MINUTE_MS - 1
    expect((await openConsent(await browserOf(app, user), url)).html).toContain('Trip board')
    expect(requestsFor(server, url)).toBe(1)
    now += 1
    const session = await browserOf(app, user)
    expect(await refusal(session, url)).toContain('not registered')
    expect((await openConsent(session, url, { redirect_uri: 'https://board.example/2' })).html).toContain('Board 2')
    expect(requestsFor(server, url)).toBe(2)
    expect(app.services.oauth.connections.list(user.id)).toMatchObject([
      { name: 'Board 2', redirectHost: 'board.example' },
    ])
  })

  test('Q9: keeps a document for as long as its headers say', async () => {
    let now = unusedTime()
    const app = await localPaxlog({ now: () => now })
    const user = app.user({ owner: true })
    const server = await documentServer()
    const url = server.publish({}, { 'cache-control': 'max-age=7200' })
    const open = async () => openConsent(await browserOf(app, user), url)
    await open()
    now += 119 * MINUTE_MS
    await open()
    expect(requestsFor(server, url)).toBe(1)
    now += 2 * MINUTE_MS
    await open()
    expect(requestsFor(server, url)).toBe(2)
  })

  test('Q4: keeps a failure for a minute', async () => {
    let now = unusedTime()
    const app = await localPaxlog({ now: () => now })
    const user = app.user({ owner: true })
    const server = await documentServer()
    const url = server.serve(
      (response) => response.writeHead(500, { 'cache-control': 'max-age=7200' }).end(),
      '/c.json',
    )
    const session = await browserOf(app, user)
    expect(await refusal(session, url)).toContain('status 500')
    server.serve(sendJson({ client_id: url, redirect_uris: [REDIRECT] }), '/c.json')
    now += MINUTE_MS - 1
    expect(await refusal(session, url)).toContain('status 500')
    expect(requestsFor(server, url)).toBe(1)
    now += 1
    await openConsent(session, url)
    expect(requestsFor(server, url)).toBe(2)
  })

  test('Q12: reads ten documents per minute and user, and cached ones without a limit', async () => {
    const app = await localPaxlog()
    const session = await browserOf(app, app.user({ owner: true }))
    const other = await browserOf(app, app.user())
    const server = await documentServer()
    const urls = Array.from({ length: 11 }, () => server.publish())
    for (const url of urls.slice(0, 10)) await openConsent(session, url)
    expect(await refusal(session, urls[10]!)).toMatch(/Try again in \d+ seconds/)
    expect(server.requests).toHaveLength(10)
    await openConsent(session, urls[0]!)
    await openConsent(other, urls[10]!)
    await openConsent(session, urls[10]!)
    expect(server.requests).toHaveLength(11)
  })
})

describe('OAUTH_CLIENT_METADATA', () => {
  test('D8: off refuses URLs and fetches nothing', async () => {
    const app = await paxlog({ oauthClientMetadata: 'off' })
    const server = await documentServer()
    const session = await browserOf(app, app.user({ owner: true }))
    for (const url of [server.publish(), 'https://app.example/client.json']) {
      expect(await refusal(session, url)).toContain('The application must register.')
      expect(await refusal(browserSession(app.app), url)).toContain('The application must register.')
    }
    expect(server.requests).toEqual([])
  })

  test('Q1: on refuses http and loopback', async () => {
    const app = await paxlog()
    const server = await documentServer()
    const session = await browserOf(app, app.user({ owner: true }))
    expect(await refusal(session, server.publish())).toContain('normalized https URL')
    expect(await refusal(session, 'https://127.0.0.1/client.json')).toContain('no public address')
    expect(server.requests).toEqual([])
  })
})
