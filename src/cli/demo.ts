import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { type Caller, operator } from '../access/caller.ts'
import { loadConfig } from '../app/config.ts'
import type { Services } from '../app/services.ts'
import { writeAsOne } from '../db/write.ts'
import { CustomFieldWrite } from '../domain/custom-fields/contract.ts'
import { FlightWrite, type PassengerWrite, type TimeName, timePairs } from '../domain/flights/contract.ts'
import type { ReferenceService } from '../domain/reference/service.ts'
import { ShareWrite } from '../domain/shares/contract.ts'
import { TripWrite } from '../domain/trips/contract.ts'
import { Password } from '../domain/users/contract.ts'
import type { VisitedCountryWrite } from '../domain/visited/contract.ts'
import { systemClock } from '../lib/clock.ts'
import { DAY_MS, dayAfter, dayOf, daysBetween, isoInstant } from '../lib/dates.ts'
import { freePort } from '../lib/port.ts'
import { newId, newToken } from '../lib/secret.ts'
import { StartupError } from '../lib/startup-error.ts'
import { type Command, FLAG, print, printJson, readPassword, showProgress, UsageError } from './command.ts'
import recorded from './demo.json' with { type: 'json' }
import { serveUntilSignal } from './serve.ts'
import { parseOrThrow } from './user.ts'
import { withServices } from './with-services.ts'

type Person = 'ines' | 'jonas'

interface RecordedFlight extends Partial<Record<TimeName, string>> {
  date: string
  datePrecision?: FlightWrite['datePrecision']
  flightNumber?: string
  /** IATA codes. */
  from: string
  to: string
  /** ICAO codes. */
  airline: string
  aircraft: string
  passengers: (Partial<PassengerWrite> & { person?: Person })[]
  track?: { times: number[] }
}

/** The log as of `recordedOn`. Members that are null or have their default are omitted. */
interface RecordedLog {
  recordedOn: string
  customFields: { key: string }[]
  visited: Record<Person, VisitedCountryWrite[]>
  trips: { isUpcoming?: true; flights: RecordedFlight[] }[]
}

const log = recorded as unknown as RecordedLog

/** 52 weeks, so that trips keep their weekday. */
const DAYS_PER_YEAR = 364

function moveFlight(flight: RecordedFlight, years: number, days: number) {
  const { date, datePrecision = 'day', track } = flight
  const times = timePairs.flat().flatMap((name) => {
    const instant = flight[name]
    return instant === undefined ? [] : [[name, isoInstant(Date.parse(instant) + days * DAY_MS)]]
  })
  return {
    ...flight,
    ...(Object.fromEntries(times) as Partial<Record<TimeName, string>>),
    datePrecision,
    date: datePrecision === 'day' ? dayAfter(date, days) : `${Number(date.slice(0, 4)) + years}${date.slice(4)}`,
    ...(track && { track: { ...track, times: track.times.map((seconds) => seconds + (days * DAY_MS) / 1000) } }),
  }
}

/** Moves recorded flights to today: past trips keep their season, upcoming trips their distance in days. */
export function demoFlights(today: string, { codes }: ReferenceService) {
  const years = Number(today.slice(0, 4)) - Number(log.recordedOn.slice(0, 4))
  return log.trips
    .flatMap(({ isUpcoming, flights }) => {
      const days = isUpcoming ? daysBetween(log.recordedOn, today)! : years * DAYS_PER_YEAR
      const moved = flights.map((flight) => moveFlight(flight, years, days))
      return isUpcoming || moved.at(-1)!.date < today ? moved : []
    })
    .map(({ from, to, airline, aircraft, ...flight }) => ({
      ...flight,
      fromId: codes.airport(from, 'iata'),
      toId: codes.airport(to, 'iata'),
      airlineId: codes.airline(airline, 'icao'),
      aircraftId: codes.aircraft(aircraft, 'icao'),
    }))
}

const displayNames = { ines: 'Inês Sørlie', jonas: 'Jonas Müller' }

function requireEmpty({ flights, customFields }: Services): void {
  if (flights.log.ids('all').length > 0) {
    throw new StartupError('This instance already has flights. The demo needs an instance without flights.')
  }
  const requiredField = customFields
    .list(operator, false)
    .find(({ required, defaultValue }) => required && defaultValue === null)
  if (requiredField) {
    throw new StartupError(
      `The custom field ${requiredField.key} is required, but the demo has no value for it. Make it optional first.`,
    )
  }
}

/** The demo never writes to an existing account other than the owner. */
function freeName({ users }: Services, person: Person): string {
  let name: string = person
  for (let count = 2; users.findByName(name); count++) name = `${person}${count}`
  return name
}

async function makeAccounts(services: Services, passwordOf: () => string) {
  const { users } = services
  const createAccount = async (person: Person, create: typeof users.createOwner) => {
    const [username, password] = [freeName(services, person), passwordOf()]
    const { id } = await create({ username, password, displayName: displayNames[person] })
    return { id, username, password }
  }
  const owner = users.owner()
  return {
    ines: owner ? { id: owner.id, username: owner.username } : await createAccount('ines', users.createOwner),
    jonas: await createAccount('jonas', (body) => users.create(operator, body)),
  }
}

async function makeCustomFields({ customFields }: Services): Promise<void> {
  const known = new Set(customFields.list(operator, true).map(({ key }) => key))
  for (const field of log.customFields) {
    if (!known.has(field.key)) await customFields.create(operator, CustomFieldWrite.parse(field))
  }
}

const MAX_DEMO_TRIPS = 7

/** The newest journey stays a suggestion. */
async function makeTrips({ trips }: Services, caller: Caller): Promise<void> {
  const [, ...earlier] = await trips.suggest(caller)
  for (const { name, flightIds } of earlier.slice(0, MAX_DEMO_TRIPS)) {
    await trips.create(caller, TripWrite.parse({ name: name.replace(/ \(.*?\)/, ''), flightIds }))
  }
}

async function makeShares({ shares }: Services, callers: Record<Person, Caller>, year: number): Promise<void> {
  const everything = { showStats: true, showFlightList: true, showAircraft: true, showTracks: true }
  const lastYear = { dateFrom: `${year - 1}-01-01`, dateTo: `${year - 1}-12-31`, showFlightList: true }
  await shares.create(callers.ines, ShareWrite.parse({ slug: `${callers.ines.username}-everywhere`, ...everything }))
  await shares.create(callers.jonas, ShareWrite.parse({ slug: `${callers.jonas.username}-${year - 1}`, ...lastYear }))
}

export async function fillDemo(services: Services, { clock = systemClock, passwordOf = () => newId() } = {}) {
  requireEmpty(services)
  const today = dayOf(clock())
  await services.reference.loadShipped()
  const planned = demoFlights(today, services.reference)
  const accounts = await makeAccounts(services, passwordOf)
  const callerOf = (person: Person): Caller => ({
    ...operator,
    userId: accounts[person].id,
    username: accounts[person].username,
  })
  const callers = { ines: callerOf('ines'), jonas: callerOf('jonas') }
  await makeCustomFields(services)
  for (const [index, { passengers, ...flight }] of planned.entries()) {
    const withAccounts = passengers.map(({ person, ...rest }) =>
      person ? { ...rest, userId: accounts[person].id } : rest,
    )
    await services.flights.create(operator, FlightWrite.parse({ ...flight, passengers: withAccounts }))
    showProgress(index + 1, planned.length, 'flights')
  }
  for (const person of ['ines', 'jonas'] as const) {
    for (const country of log.visited[person]) await services.visited.put(callers[person], country)
  }
  await makeTrips(services, callers.ines)
  await makeShares(services, callers, Number(today.slice(0, 4)))
  const users = Object.values(accounts).map(({ id: _, ...account }) => account)
  return { users, flights: planned.length }
}

const DEMO_HOST = '127.0.0.1'

/** A new instance with a temporary database, for browsers on this machine. */
async function serveDemo(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'paxlog-demo-'))
  // No other setting: the database of an instance must never become a demo.
  const { PORT: port, LOG_LEVEL = 'warn' } = process.env
  const PORT = port && port !== '0' ? port : String(await freePort(DEMO_HOST))
  // Cookies of "localhost" belong to all ports, also to that of another instance.
  const BASE_URL = `http://${DEMO_HOST}:${PORT}`
  const config = loadConfig({ BASE_URL, PORT, LOG_LEVEL, HOST: DEMO_HOST, DATA_DIR: dataDir })
  const code = newToken()
  let session = ''
  async function fill() {
    await withServices(config, (services, db) =>
      writeAsOne(db, async () => {
        const { users } = await fillDemo(services)
        const ines = services.users.findByName(users[0]!.username)!
        session = await services.sessions.start(ines.id)
      }),
    )
    return config
  }
  function addSignIn(app: FastifyInstance): void {
    app.get(`/demo/${code}`, (_, reply) =>
      reply.header('set-cookie', `paxlog=${session}; Path=/; HttpOnly; SameSite=Lax`).redirect('/', 303),
    )
  }
  function announce(baseUrl: string): void {
    print(`Open ${baseUrl}/demo/${code}`)
    print('Ctrl-C ends the demo and deletes its data.')
  }
  try {
    await serveUntilSignal(fill, { extend: addSignIn }, announce)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

export const demo: Command = {
  name: 'demo',
  usage: '[--serve | --password-stdin]',
  summary: 'Fill an instance without flights with demo data, or serve a temporary one',
  details:
    'Creates the owner if there is none, a second user, and about 200 flights over ten years with tracks, trips, custom fields, visited countries and two shares. The passwords are random and shown only once; --password-stdin reads one for both from the first line of stdin. Fails if the instance has flights. To start over, delete the data directory.\n\n--serve starts a new instance on 127.0.0.1 with a temporary database instead, prints a link that signs in as the owner, and deletes the database when it ends. Of the settings, only PORT and LOG_LEVEL apply; without PORT it uses a free port.',
  options: { 'password-stdin': FLAG, serve: FLAG },
  run: async (call) => {
    if (call.flag('serve')) {
      if (call.flag('password-stdin') || call.option('data-dir') !== undefined)
        throw new UsageError('--serve has no password and its own data directory.')
      await serveDemo()
      process.exit(0)
    }
    const config = call.config()
    const password = call.flag('password-stdin')
      ? parseOrThrow(Password.safeParse(await readPassword(call)))
      : undefined
    const passwordOf = password === undefined ? newId : () => password
    const result = await withServices(config, (services, db) =>
      writeAsOne(db, () => fillDemo(services, { passwordOf })),
    )
    printJson(result)
    if (process.stderr.isTTY)
      process.stderr.write('Next: start the server with "paxlog serve" and sign in as one of these users.\n')
  },
}
