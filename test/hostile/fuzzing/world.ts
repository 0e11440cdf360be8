import { randomBytes } from 'node:crypto'
import { operator } from '../../../src/access/caller.ts'
import { permissions } from '../../../src/access/permissions.ts'
import { scopeNames } from '../../../src/access/scopes.ts'
import { createServices, type Services } from '../../../src/app/services.ts'
import { closeDatabase, type Db, openDatabase } from '../../../src/db/open.ts'
import { freePort } from '../../../src/lib/port.ts'
import { fillLog } from '../../bench/world.ts'
import { csrfIn } from '../../support/browser-session.ts'
import { knownDatabaseUrl } from '../../support/engine.ts'
import { pkce } from '../../support/oauth-client.ts'
import { pageRoutes } from '../../support/page-routes.ts'
import { makers, type TestUser } from '../../support/paxlog.ts'
import { loadedFolder, serve } from '../../support/process.ts'

const REDIRECT = 'https://board.example/cb'
export const FLIGHTS = 400
export const TRIPS = 10
const FLIGHTS_PER_TRIP = 20
const DELETED_FLIGHTS = 20
/** Each key is limited to 600 tool calls per minute. */
const OWNER_KEYS = 24

/** Approves OAuth requests without the pages, to obtain real tokens. */
async function approvals({ oauth, users }: Services) {
  const { client_id: clientId } = await oauth.clients.register({ redirect_uris: [REDIRECT], client_name: 'Trip board' })

  async function pending(challenge: string, browser: string, resource: 'v1' | 'mcp' = 'v1', scopes = scopeNames) {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: REDIRECT,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      resource: oauth.resources.urls[resource],
      scope: scopes.join(' '),
    })
    return (await oauth.authorize.begin(query, browser)).id
  }

  async function tokens(user: TestUser, resource: 'v1' | 'mcp', scopes = scopeNames) {
    const { verifier, challenge } = pkce()
    const browser = randomBytes(32).toString('base64url')
    const id = await pending(challenge, browser, resource, scopes)
    const consent = await oauth.authorize.pendingFor(id, browser, user.id)
    const { permissions: granted } = users.findByName(user.username)!
    const url = new URL(
      await oauth.authorize.decide(consent, { id: user.id, permissions: granted }, { approve: true, scopes }),
    )
    const code = url.searchParams.get('code')!
    return oauth.exchangeCode({
      clientId,
      code,
      verifier,
      redirectUri: REDIRECT,
      resource: oauth.resources.urls[resource],
    })
  }
  return { clientId, pending, tokens }
}

/** The names and values of all form fields on all pages. */
async function formFields(page: (path: string) => Promise<{ html: string }>): Promise<Map<string, string[]>> {
  const fields = new Map<string, string[]>()
  for (const route of pageRoutes.filter((each) => each.startsWith('GET '))) {
    const { html } = await page(route.slice(4).replace(/\{\w+\}/, '1'))
    let latest: string[] = []
    for (const [, name, value] of html.matchAll(/ name="([^"]+)"| value="([^"]*)"/g)) {
      if (name !== undefined) {
        latest = fields.get(name) ?? []
        fields.set(name, latest)
      } else latest.push(value!)
    }
  }
  fields.delete('csrf')
  return fields
}

const column = (db: Db, sql: string) => db.$client.prepare(sql).pluck().all() as number[]

/** Starts the built server with a medium log and all kinds of credentials. */
export async function fuzzWorld() {
  const dataDir = loadedFolder()
  const port = await freePort('127.0.0.1')
  const db = openDatabase(dataDir, knownDatabaseUrl(dataDir))
  const services = createServices({ db, baseUrl: `http://localhost:${port}` })
  await services.roles.installBuiltIn()
  const make = makers(db)
  const owner = make.user({ owner: true, username: 'owner', displayName: 'Öwner <b>"O"</b>' })
  const traveller = make.user({ username: 'traveller', role: permissions.filter((name) => name.endsWith('.own')) })
  const reader = make.user({ username: 'reader', role: ['flight.read.any', 'users.directory.read'] })
  const clerk = make.user({ username: 'clerk', role: permissions })
  const deletedUser = make.user({ username: 'gone' })
  const others = Array.from({ length: 12 }, (_, index) => make.user({ username: `other${index}` }))
  const spareRoles = Array.from({ length: 4 }, () => make.role(['flight.read.own']))
  const approve = await approvals(services)
  const browser = randomBytes(32).toString('base64url')
  const tokens = {
    v1: await approve.tokens(owner, 'v1'),
    mcp: await approve.tokens(owner, 'mcp'),
    narrow: await approve.tokens(traveller, 'v1', ['flight.read.own', 'profile.read']),
    dead: await approve.tokens(deletedUser, 'v1', ['profile.read']),
  }
  const world = {
    host: `localhost:${port}`,
    port,
    owner,
    keys: {
      full: Array.from({ length: OWNER_KEYS }, () => make.key(owner.id)),
      traveller: traveller.key,
      reader: reader.key,
      single: scopeNames.map((scope) => make.key(owner.id, [scope])),
      dead: deletedUser.key,
    },
    tokens,
    clientId: approve.clientId,
    session: await services.sessions.start(clerk.id),
    browser,
    pending: await Promise.all(Array.from({ length: 8 }, () => approve.pending(pkce().challenge, browser))),
    ids: {
      users: [...others.map(({ id }) => id), owner.id],
      travellers: [owner.id, traveller.id, ...others.slice(0, 4).map(({ id }) => id)],
      roles: ['role-user', 'role-administrator', ...spareRoles],
      airports: column(db, "select id from airports where iata is not null and type = 'large_airport' limit 40"),
      airlines: column(db, 'select id from airlines limit 20'),
      aircraft: column(db, 'select id from aircraft limit 20'),
    },
  }
  fillLog(services, db, owner.id, FLIGHTS)
  db.$client.prepare('delete from users where id = ?').run(deletedUser.id)
  fillLog(services, db, owner.id, FLIGHTS)
  const ids = services.flights.log.ids({ userId: owner.id })
  const caller = { ...operator, userId: owner.id }
  for (let trip = 0; trip < TRIPS; trip++) {
    const flightIds = ids.slice(trip * FLIGHTS_PER_TRIP, (trip + 1) * FLIGHTS_PER_TRIP)
    await services.trips.create(caller, { name: `Trip ${trip}`, note: null, flightIds })
  }
  await services.flights.removeAll(
    caller,
    ids.filter((_, index) => index < DELETED_FLIGHTS * FLIGHTS_PER_TRIP && index % FLIGHTS_PER_TRIP === 0),
  )
  await services.credentials.close()
  closeDatabase(db)
  const server = await serve({
    dataDir,
    // Each request may set its address, to avoid rate limits.
    env: { PORT: String(port), ADDRESS_HEADER: 'x-forwarded-for' },
  })
  const page = async (path: string, cookie: string) => {
    const answer = await fetch(`${server.origin}${path}`, { headers: { cookie } })
    return { html: await answer.text(), cookies: answer.headers.getSetCookie() }
  }
  const settings = await page('/settings/security', `paxlog=${world.session}`)
  const signIn = await page('/login', '')
  const cookie = signIn.cookies.map((line) => line.split(';')[0]!).find((pair) => pair.startsWith('paxlog-csrf='))!
  const fields = await formFields((path) => page(path, `paxlog=${world.session}`))
  const forms = { session: csrfIn(settings.html), signIn: csrfIn(signIn.html), signInCookie: cookie, fields }
  return { ...world, server, forms }
}

export type World = Awaited<ReturnType<typeof fuzzWorld>>
