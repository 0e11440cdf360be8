import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accountPermissions, type Caller, credential, viaPage } from '../../src/access/caller.ts'
import { permissions } from '../../src/access/permissions.ts'
import { scopeNames } from '../../src/access/scopes.ts'
import { createServices, type Services } from '../../src/app/services.ts'
import { closeDatabase, type Db, openDatabase } from '../../src/db/open.ts'
import { write } from '../../src/db/write.ts'
import { type BulkFlight, bulkInsert, newFlight } from '../../src/domain/flights/store/bulk-insert.ts'
import { ShareWrite } from '../../src/domain/shares/contract.ts'
import { encodeCursor } from '../../src/lib/cursor.ts'
import { freePort } from '../../src/lib/port.ts'
import { pkce } from '../support/oauth-client.ts'

export const PASSWORD = 'bench bench'
const REDIRECT = 'https://board.example/cb'
const FAMILIES = 4
const SIGN_IN_USERS = 40
/** Tool calls are limited per key, so requests use a thousand keys. */
const KEYS_PER_USER = 25
const FLIGHTS_PER_COMMIT = 50_000

const ROUTES = [
  ['ZRH', 'LIS'],
  ['LIS', 'ZRH'],
  ['JFK', 'LHR'],
  ['LHR', 'SIN'],
  ['SIN', 'SYD'],
  ['FRA', 'LAX'],
  ['CPH', 'HND'],
  ['DXB', 'DEL'],
  ['MUC', 'KEF'],
  ['GRU', 'CPT'],
  ['YVR', 'ICN'],
  ['OSL', 'SVO'],
] as const

/** A database with a log of a given size, and credentials for all kinds of requests. */
export type World = Awaited<ReturnType<typeof buildWorld>>

const FIRST_DAY = Date.UTC(1990, 0, 1)
const DAYS = 13_000
const DAY = 86_400_000

/**
 * Inserts realistic flights of one user, or of a user per flight, with a guest. The first and last pages of logs of every
 * size have the same routes, so that only the size makes a difference.
 */
export function fillLog(services: Services, db: Db, user: string | ((index: number) => string), count: number): void {
  const { reference, customFields } = services
  const { codes, records } = reference
  const insertFlights = bulkInsert({ db, clock: Date.now, reference, customFields })
  const airline = codes.airline('SWR', 'icao') ?? null
  const types = ['BCS3', 'A333', 'B77W', 'A20N'].map((icao) => codes.aircraft(icao, 'icao') ?? null)
  const routes = ROUTES.map(([from, to]) => [codes.airport(from)!, codes.airport(to)!] as const)
  const none = { seat: null, seatNumber: null, seatClass: null, flightReason: null }
  function* flightsIn(from: number, to: number): Generator<BulkFlight> {
    for (let index = from; index < to; index++) {
      const fromEnd = Math.min(index, count - 1 - index)
      const [fromId, toId] = routes[fromEnd % routes.length]!
      const userId = typeof user === 'string' ? user : user(index)
      const day = new Date(FIRST_DAY + Math.floor((index * DAYS) / count) * DAY).toISOString().slice(0, 10)
      const body = {
        date: day,
        datePrecision: 'day',
        departure: `${day}T10:20:00.000Z`,
        arrival: `${day}T13:15:00.000Z`,
        departureScheduled: null,
        arrivalScheduled: null,
        takeoffScheduled: null,
        takeoffActual: null,
        landingScheduled: null,
        landingActual: null,
        duration: null,
        departureTerminal: '2',
        departureGate: null,
        arrivalTerminal: null,
        arrivalGate: null,
        flightNumber: `LX${1000 + (fromEnd % 9000)}`,
        aircraftReg: 'HB-JCA',
        note: null,
        fromId,
        toId,
        airlineId: airline,
        aircraftId: types[fromEnd % types.length]!,
        passengers: [
          {
            userId,
            guestName: null,
            seat: 'window',
            seatNumber: '7A',
            seatClass: 'economy',
            flightReason: 'leisure',
          },
          { userId: null, guestName: 'Noor', ...none },
        ],
        customFields: {},
      } as const
      const [origin, destination] = [records.airport(fromId)!, records.airport(toId)!]
      const flight = newFlight({ ...body, passengers: [...body.passengers] }, origin, destination)
      yield { ...flight, details: undefined }
    }
  }
  const add = db.$client.transaction((from: number, to: number) =>
    insertFlights(flightsIn(from, to), { isOutdated: false }),
  )
  for (let from = 0; from < count; from += FLIGHTS_PER_COMMIT) add(from, Math.min(from + FLIGHTS_PER_COMMIT, count))
}

/** Of 1 000 000 flights, frequent users have a thousand each and the other users share the rest. */
const USERS = 10_000
const FREQUENT_USERS = 500
const FLIGHTS_PER_FREQUENT_USER = 1000

export interface Person {
  key: string
  /** The id of their newest flight. */
  flight: number
  /** Whether they have a thousand flights. */
  isFrequent: boolean
}

/** Creates more users with keys and flights than any cache holds. */
async function fillCrowd(services: Services, db: Db, roleId: string, flights: number): Promise<Person[]> {
  const insert = db.$client.prepare(
    `insert into users (id, username, display_name, password_hash, role_id, created_at, updated_at)
     values (?, ?, 'Somebody', '', ?, 0, 0)`,
  )
  const ids = Array.from({ length: USERS }, () => randomBytes(8).toString('hex'))
  const holder = accountPermissions(false, permissions)
  await write(db, 'accounts', () => {
    for (const [index, id] of ids.entries()) insert.run(id, `crowd${index}`, roleId)
  })
  const keys = await Promise.all(
    ids.map((id) => services.keys.create({ id, permissions: holder }, { name: 'crowd', scopes: [...scopeNames] })),
  )
  const frequentFlights = FREQUENT_USERS * FLIGHTS_PER_FREQUENT_USER
  const ownerOf = (index: number) =>
    index % 2 === 0 && index / 2 < frequentFlights
      ? (index / 2) % FREQUENT_USERS
      : FREQUENT_USERS + (Math.floor(index / 2) % (USERS - FREQUENT_USERS))
  fillLog(services, db, (index) => ids[ownerOf(index)]!, flights)
  const newest = db.$client.prepare('select max(flight_id) from passengers where user_id = ?').pluck()
  return ids.map((id, index) => ({
    key: keys[index]!.key,
    flight: newest.get(id) as number,
    isFrequent: index < FREQUENT_USERS,
  }))
}

/** An application with several token families, approved with the functions of the consent page. */
async function connectedApplication({ oauth }: Services, caller: Caller) {
  const { client_id: clientId } = await oauth.clients.register({ redirect_uris: [REDIRECT], client_name: 'Bench' })
  const resource = oauth.resources.urls.v1
  const tokens: string[] = []
  for (let family = 0; family < FAMILIES; family++) {
    const { verifier, challenge } = pkce()
    const browser = randomBytes(32).toString('base64url')
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: REDIRECT,
      code_challenge: challenge,
      code_challenge_method: 'S256',
      resource,
      scope: 'flight.read.own',
    })
    const { id } = await oauth.authorize.begin(query, browser)
    const consent = await oauth.authorize.pendingFor(id, browser, caller.userId)
    const user = { id: caller.userId, permissions: caller.permissions }
    const back = new URL(await oauth.authorize.decide(consent, user, { approve: true, scopes: ['flight.read.own'] }))
    const code = back.searchParams.get('code')!
    const pair = await oauth.exchangeCode({ clientId, code, verifier, redirectUri: REDIRECT, resource })
    tokens.push(pair.refresh_token)
  }
  return { clientId, resource, tokens }
}

export async function buildWorld(flights: number, { crowd = false } = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'paxlog-bench-'))
  const port = await freePort('127.0.0.1')
  const baseUrl = `http://127.0.0.1:${port}`
  const db = openDatabase(dataDir)
  const services = createServices({ db, baseUrl })
  await services.roles.installBuiltIn()
  await services.reference.loadShipped()
  const owner = await services.users.createOwner({ username: 'bench', displayName: 'Bench', password: PASSWORD })
  const caller: Caller = {
    userId: owner.id,
    username: 'bench',
    displayName: 'Bench',
    role: null,
    isOwner: true,
    permissions: accountPermissions(true, []),
    credential: credential('session', 'session', scopeNames),
    via: viaPage(null),
  }
  const makeKey = async (user: { id: string; permissions: Caller['permissions'] }, name: string) =>
    (await services.keys.create(user, { name, scopes: [...scopeNames] })).key
  const key = await makeKey({ id: owner.id, permissions: caller.permissions }, 'bench')
  const role = await services.roles.create(caller, {
    name: 'Everything',
    description: null,
    permissions: [...permissions],
  })
  const names = Array.from({ length: SIGN_IN_USERS }, (_, index) => `person${index}`)
  const keys: string[] = []
  for (const username of names) {
    const account = { username, displayName: username, password: PASSWORD, roleId: role.id }
    const { id } = await services.users.create(caller, account)
    const holder = { id, permissions: accountPermissions(false, permissions) }
    for (let count = 0; count < KEYS_PER_USER; count++) keys.push(await makeKey(holder, `assistant ${count}`))
  }
  const people = crowd ? await fillCrowd(services, db, role.id, flights) : []
  if (!crowd) fillLog(services, db, owner.id, flights)
  const share = { slug: 'bench', showStats: true, showFlightList: true }
  const { slug } = await services.shares.create(caller, ShareWrite.parse(share))
  const { codes } = services.reference
  const [date, id] = db.$client
    .prepare('select date, id from flights order by date, id limit 1 offset 50')
    .raw()
    .get() as [string, number]
  const feedEnd = db.$client
    .prepare('select seq, lower(hex(tag)) as tag from change_positions order by seq desc limit 1')
    .get() as { seq: number; tag: string }
  const world = {
    flights,
    people,
    feedEnd,
    dataDir,
    port,
    baseUrl,
    key,
    keys,
    names,
    session: await services.sessions.start(owner.id),
    application: await connectedApplication(services, caller),
    share: slug,
    fromId: codes.airport('ZRH')!,
    toId: codes.airport('LIS')!,
    someFlight: Math.ceil(flights / 2),
    /** The cursor of the last page of 50. */
    lastPage: encodeCursor([date, id]),
  }
  closeDatabase(db)
  return world
}
