import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PostgresEngine, postgresClient } from '../../src/db/postgres/client.ts'
import { type Translated, translate } from '../../src/db/postgres/translate.ts'
import { fillLarge, type LargeDatabase, type LargeUser } from '../support/large-database.ts'
import { type Paxlog, paxlog } from '../support/paxlog.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { BY } from '../support/random-filters.ts'
import { type RecordedStatement, watchStatements } from '../support/recorded-statements.ts'
import { report } from '../support/travel.ts'

const IS_LONG = process.env.PAXLOG_SLOW_TESTS === '1'
const FULL_SIZE = 1_000_000
const [FLIGHTS, USERS] = IS_LONG ? [FULL_SIZE, 1_000] : [50_000, 100]
/** Small tables may be scanned. */
const LARGE_TABLES = ['flights', 'passengers']
const READ = /^\s*(select|with)\b/i
/** A server plans a statement for its values, or once for all values. */
const PLAN_MODES = ['force_custom_plan', 'force_generic_plan'] as const
/** A plan for all values is used if its cost is lower than that of a plan for the values and of planning: 2.5 per table. */
const MAX_PLANNING_COST = 25

let postgres: PostgresServer
let large: LargeDatabase
let explaining: PostgresEngine

beforeAll(async () => {
  postgres = await startPostgres()
  const administration = postgresClient(postgres.url('postgres'), { name: '' })
  administration.exec('create database large')
  administration.close()
  large = await fillLarge(postgres.url('large'), { flights: FLIGHTS, users: USERS })
  explaining = postgresClient(postgres.url('large'), { name: '' })
  // As if small tables had as many pages as large ones.
  explaining.exec(`set seq_page_cost = ${FULL_SIZE / FLIGHTS}`)
})
afterAll(async () => {
  explaining?.close()
  await postgres?.stop()
})

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'number' || typeof value === 'bigint') return `'${value}'`
  if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString('hex')}'`
  return `'${String(value).replaceAll("'", "''")}'`
}

/** As the array of a list. */
function arrayLiteral(list: unknown): string {
  const items = JSON.parse(String(list)) as unknown[]
  return literal(`{${items.map((item) => `"${String(item).replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`)
}

function literals({ parameters }: Translated, [first, ...others]: unknown[]): string[] {
  const isGroup = others.length === 0 && typeof first === 'object' && first !== null && !ArrayBuffer.isView(first)
  const values = (isGroup ? first : [first, ...others]) as Record<string, unknown>
  return parameters.map(({ key, isList }) => (isList ? arrayLiteral : literal)(values[key]))
}

interface PlanNode {
  'Node Type': string
  'Total Cost': number
  'Relation Name'?: string
  Plans?: PlanNode[]
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

let explained = 0

/** The large tables that a plan reads from beginning to end. */
function scannedTables({ sql, values }: RecordedStatement): string[] {
  const translated = translate(sql)
  const list = literals(translated, values)
  const name = `explained_${++explained}`
  explaining.exec(`prepare ${name} as ${translated.sql}`)
  const [custom, generic] = PLAN_MODES.map((mode) => {
    explaining.exec(`set plan_cache_mode = ${mode}`)
    const explain = `explain (format json) execute ${name}${list.length > 0 ? `(${list.join(', ')})` : ''}`
    const [{ Plan }] = explaining.prepare(explain).pluck().get() as [{ Plan: PlanNode }]
    return { mode, plan: Plan }
  }) as [{ mode: string; plan: PlanNode }, { mode: string; plan: PlanNode }]
  const isGenericUsed = generic.plan['Total Cost'] < custom.plan['Total Cost'] + MAX_PLANNING_COST
  return [custom, ...(isGenericUsed ? [generic] : [])].flatMap(({ mode, plan }) =>
    nodesOf(plan)
      .filter((node) => node['Node Type'] === 'Seq Scan' && LARGE_TABLES.includes(node['Relation Name'] ?? ''))
      .map((node) => `${mode}: ${node['Relation Name']}`),
  )
}

const queryValue = (sql: string, ...values: unknown[]) =>
  String(
    explaining
      .prepare(sql)
      .pluck()
      .get(...values),
  )

/** Each filter of contract 16.1 with a frequent and a rare value, and some together. */
function filters(user: LargeUser | undefined): string[] {
  const ranked = (column: string, order: 'asc' | 'desc') =>
    queryValue(
      `select ${column} from flights where ${column} is not null group by 1 order by count(*) ${order}, 1 limit 1`,
    )
  const ends = (column: string) => (['asc', 'desc'] as const).map((order) => ranked(column, order))
  const [[rareFrom, from], [rareTo, to], [rareAirline, airline], [rareType, type]] = [
    'from_id',
    'to_id',
    'airline_id',
    'aircraft_id',
  ].map(ends) as [string[], string[], string[], string[]]
  const country = queryValue('select country from airports where id = ?', from)
  const [number, registration] = ['flight_number', 'aircraft_reg'].map((column) =>
    encodeURIComponent(queryValue(`select ${column} from flights where ${column} is not null order by id limit 1`)),
  )
  const trip = user && queryValue('select max(trip_id) from passengers where user_id = ?', user.id)
  return [
    'dateFrom=2005-01-01',
    'dateTo=2005-12-31',
    'dateFrom=2005-01-01&dateTo=2005-12-31',
    ...[rareFrom, from, `${rareFrom},${from}`].flatMap((id) => [`fromId=${id}`, `airportId=${id}`]),
    ...[rareTo, to].map((id) => `toId=${id}`),
    ...[country, 'NA', 'US,GB,DE', 'ZZ'].map((codes) => `country=${codes}`),
    ...[rareAirline, airline, 'none', `${rareAirline},none`].map((id) => `airlineId=${id}`),
    ...[rareType, type, 'none', `${rareType},none`].map((id) => `aircraftId=${id}`),
    ...(trip ? [`tripId=${trip}`, 'tripId=none', `tripId=${trip},none`] : []),
    `flightNumber=${number}`,
    'flightNumber=QQ1',
    `aircraftReg=${registration}`,
    'aircraftReg=QQ',
    ...['seat=window', 'seat=none', 'seatClass=business', 'flightReason=leisure,none'],
    ...['companion=user7', 'companion=user7,user9', 'companion=nobody'],
    ...['completed=true', 'completed=false', 'hasTrack=true', 'hasTrack=false'],
    ...['luggage', 'kingfisher', 'Zürich', 'strasse', '東京', 'ωμε', 'z', 'luggage kingfisher', 'smooth holiday'].map(
      (text) => `text=${encodeURIComponent(text)}`,
    ),
    `text=${number}`,
    `text=${registration}`,
    `dateFrom=2004-01-01&airlineId=${airline}&seat=window&country=DE`,
    'seat=window&hasTrack=true&seatClass=business&text=luggage',
    `fromId=${from}&toId=${to}&completed=true&companion=user7`,
  ]
}

const api = (paths: readonly string[]) => paths.map((path) => `/api/v1/${path}`)

/** Reads of one log. */
function readsOf(user: LargeUser): string[] {
  const all = filters(user)
  const flight = queryValue('select max(flight_id) from passengers where user_id = ?', user.id)
  const registration = queryValue(
    'select aircraft_reg from flights f join passengers p on p.flight_id = f.id where p.user_id = ? and aircraft_reg is not null limit 1',
    user.id,
  )
  const trip = queryValue('select max(trip_id) from passengers where user_id = ?', user.id)
  const [from, to] = ['from_id', 'to_id'].map((column) =>
    queryValue(`select ${column} from flights where id = ?`, flight),
  )
  return [
    ...api(['flights', 'flights?order=oldest', `flights/${flight}`, 'flights/changes', 'countries', 'trips', 'me']),
    ...all.flatMap((filter) => api([`flights?limit=50&${filter}`, `flights?order=oldest&${filter}`])),
    ...['', ...all.slice(0, 8), ...all.slice(-3)].flatMap((filter) => api([`stats?${filter}`])),
    ...BY.map((by) => `/api/v1/stats/breakdown?by=${by}`),
    ...api(['stats/records', 'stats/punctuality', `trips/${trip}`]),
    ...['/api/flight/list', '/api/stats'],
    ...['/', '/?sort=route', '/statistics', '/statistics/2024', '/map/data', '/countries', '/trips'],
    ...[`/flights/${flight}`, `/trips/${trip}`, `/airports/${from}`, `/routes/${from}-${to}`],
    `/registrations/${encodeURIComponent(registration)}`,
    '/?text=luggage&seat=window',
  ]
}

/** Reads of all flights. */
const readsOfAll = () =>
  api([
    'flights?scope=all',
    'flights?scope=all&order=oldest',
    'flights/changes?scope=all',
    ...filters(undefined).flatMap((filter) => [
      `flights?scope=all&${filter}`,
      `flights?scope=all&order=oldest&${filter}`,
    ]),
  ])

async function recordReads() {
  const byUrl = new Map<string, RecordedStatement[]>()
  let current: RecordedStatement[] = []
  const app: Paxlog = await paxlog({
    databaseUrl: postgres.url('large'),
    onOpen: ({ $client }) => watchStatements($client, (statement) => current.push(statement)),
  })
  async function read(url: string, user: LargeUser): Promise<void> {
    current = []
    const session = await app.services.sessions.start(user.id)
    const isApi = url.startsWith('/api/')
    const headers = isApi ? { authorization: `Bearer ${user.key}` } : { cookie: `paxlog=${session}` }
    const { status, text } = await app.request({ method: 'GET', url, headers })
    if (status !== 200) throw new Error(`${url}: ${status} ${text.slice(0, 500)}`)
    byUrl.set(`${user.id} ${url}`, current)
  }
  for (const user of [large.frequent, large.average]) for (const url of readsOf(user)) await read(url, user)
  for (const url of readsOfAll()) await read(url, large.owner)
  return byUrl
}

test(`no read scans the flights or passengers of a database with ${FLIGHTS} flights`, async () => {
  const seen = new Set<string>()
  const scans: string[] = []
  for (const [url, statements] of await recordReads()) {
    // A list repeats its statements for each part of the log.
    const first = new Map(statements.map((statement) => [statement.sql, statement]))
    for (const statement of first.values()) {
      const key = JSON.stringify([statement.sql, statement.values])
      if (!READ.test(statement.sql) || seen.has(key)) continue
      seen.add(key)
      const tables = scannedTables(statement)
      if (tables.length > 0) scans.push(`${url}\n  ${tables.join(', ')}\n  ${statement.sql}`)
    }
  }
  report(`plans checked: ${seen.size} statements, each for its values and, if cheaper, for all values`)
  expect(scans).toEqual([])
})
