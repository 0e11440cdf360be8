import { brotliDecompressSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { closeDatabase, openDatabase } from '../../src/db/open.ts'
import { digest } from '../../src/lib/secret.ts'
import type { Content, Ledger } from './ledger.ts'

interface Row {
  id: number
  tag: string
  writer: string
  date: string
  note: string
  mood: string | null
  passengers: string
  points: Buffer | null
  trip: string | null
}

interface Found {
  id: number
  writer: string
  content: Content
}

/** The flight number begins with the name of the writer. */
const FLIGHTS = `
  select f.id, f.flight_number as tag, substr(f.flight_number, 1, instr(f.flight_number, 'x') - 1) as writer,
    f.date, f.note, t.points,
    (select value from flight_values where flight_id = f.id) as mood,
    (select json_group_array(json_array(coalesce(p.user_id, p.guest_name), p.seat,
        json((select value from passenger_values where passenger_id = p.id))) order by p.id)
      from passengers p where p.flight_id = f.id) as passengers,
    (select name from trips where id in (select trip_id from passengers where flight_id = f.id)) as trip
  from flights f left join flight_tracks t on t.flight_id = f.id where f.flight_number like 'writer%'`

const DELETED = `
  select d.flight_id as id, d.content, t.points from deleted_flights d
    left join deleted_flight_tracks t on t.flight_id = d.flight_id`

/** Queries that count rows of a partially applied transaction. */
const PARTIAL_WRITES: Record<string, string> = {
  'flights without a passenger': 'select count(*) from flights where id not in (select flight_id from passengers)',
  'passengers without a flight': 'select count(*) from passengers where flight_id not in (select id from flights)',
  'passengers whose date differs from their flight':
    'select count(*) from passengers p join flights f on f.id = p.flight_id where p.date <> f.date',
  'values without a flight': 'select count(*) from flight_values where flight_id not in (select id from flights)',
  'values without a passenger':
    'select count(*) from passenger_values where passenger_id not in (select id from passengers)',
  'deleted flights that exist': 'select count(*) from deleted_flights where flight_id in (select id from flights)',
  'deleted tracks without a deleted flight':
    'select count(*) from deleted_flight_tracks where flight_id not in (select flight_id from deleted_flights)',
  'flights in a trip of another user':
    'select count(*) from passengers p join trips t on t.id = p.trip_id where p.user_id is not t.user_id',
  'tracks without a flight': 'select count(*) from flight_tracks where flight_id not in (select id from flights)',
  'refresh tokens without a family':
    'select count(*) from oauth_refresh_tokens where family_id not in (select id from oauth_families)',
  'access tokens without a family':
    'select count(*) from oauth_access_tokens where family_id not in (select id from oauth_families)',
  'families without a grant': 'select count(*) from oauth_families where grant_id not in (select id from oauth_grants)',
  'families without exactly one unspent token': `select count(*) from (select f.id from oauth_families f
      left join oauth_refresh_tokens t on t.family_id = f.id and t.used_at is null group by f.id having count(t.hash) <> 1)`,
  'families without an access token for each rotation': `select count(*) from oauth_families f
    where (select count(*) from oauth_access_tokens where family_id = f.id)
      <> (select count(*) from oauth_refresh_tokens where family_id = f.id and used_at is not null)`,
}

/** Tracks are stored as compressed JSON. */
const coordinates = (points: Buffer): number[][] => JSON.parse(`{${brotliDecompressSync(points)}}`).coordinates

/** Has the property order of a ledger, so that equal content has equal JSON. */
function contentOf({ date, note, mood, passengers, points, trip }: Row): Content {
  return {
    date,
    note,
    mood: mood === null ? null : JSON.parse(mood),
    passengers: JSON.parse(passengers),
    track: points && coordinates(points),
    trip,
  }
}

/** All flights of the writers by flight number. */
export function storedFlights(client: Database.Database): Map<string, Found> {
  const rows = client.prepare(FLIGHTS).all() as Row[]
  return new Map(rows.map((row) => [row.tag, { id: row.id, writer: row.writer, content: contentOf(row) }]))
}

interface DeletedContent {
  flight: { flightNumber: string | null; date: string; note: string }
  passengers: {
    userId: string | null
    guestName: string | null
    seat: string | null
    tripId: number | null
    values: [number, string][]
  }[]
  values: [number, string][]
}

/** All deleted flights of the writers by flight number. */
function deletedFlights(client: Database.Database): Map<string, Found> {
  const trips = new Map(client.prepare('select id, name from trips').raw().all() as [number, string][])
  const rows = client.prepare(DELETED).all() as { id: number; content: string; points: Buffer | null }[]
  const found = rows.flatMap(({ id, content, points }): [string, Found][] => {
    const { flight, passengers, values } = JSON.parse(content) as DeletedContent
    const [writer, tag] = [flight.flightNumber?.split('x')[0], flight.flightNumber]
    if (!tag || !writer?.startsWith('writer')) return []
    const record: Content = {
      date: flight.date,
      note: flight.note,
      mood: values[0]?.[1] ?? null,
      passengers: passengers.map(({ userId, guestName, seat, values }) => [
        (userId ?? guestName)!,
        seat,
        values[0]?.[1] ?? null,
      ]),
      track: points && coordinates(points),
      trip: passengers.map(({ tripId }) => trips.get(tripId!)).find((name) => name !== undefined) ?? null,
    }
    return [[tag, { id, writer, content: record }]]
  })
  return new Map(found)
}

export const hasSameContent = (a: Content, b: Content | undefined) => JSON.stringify(a) === JSON.stringify(b)

/** Updates the ledger with the result of the unanswered request. A partial write is a problem. */
function settleFlights(ledger: Ledger, found: Map<string, Found>): string[] {
  const { unanswered, flights, deleted, trips, name } = ledger
  if (!unanswered || unanswered.kind === 'refresh') return []
  if ('tag' in unanswered) {
    const { tag } = unanswered
    const row = flights.get(tag) ?? deleted.get(tag)!
    const [from, to] = found.has(tag) ? [deleted, flights] : [flights, deleted]
    from.delete(tag)
    to.set(tag, row)
    return []
  }
  if (unanswered.kind === 'delete-trip') trips.delete(unanswered.tripId)
  const savedRows = unanswered.rows.filter(([tag, content]) => hasSameContent(content, found.get(tag)?.content))
  for (const [tag, content] of savedRows) flights.set(tag, { id: found.get(tag)!.id, content })
  if (savedRows.length === 0 || savedRows.length === unanswered.rows.length) return []
  return [`${name}: partial write, ${savedRows.length} of ${unanswered.rows.length} rows`]
}

function checkRows(
  { name }: Ledger,
  expected: Ledger['flights'],
  found: ReadonlyMap<string, Found>,
  lost: string,
): string[] {
  const problems: string[] = []
  for (const [tag, known] of expected) {
    const row = found.get(tag)
    if (!row) problems.push(`${tag} ${lost}`)
    else if (known.id !== undefined && known.id !== row.id) problems.push(`${tag} has another id`)
    else if (!hasSameContent(known.content, row.content))
      problems.push(`${tag} is ${JSON.stringify(row.content)} instead of ${JSON.stringify(known.content)}`)
    else known.id = row.id
  }
  for (const [tag, { writer }] of found) {
    if (writer === name && !expected.has(tag)) problems.push(`${tag} is unexpected`)
  }
  return problems
}

function checkTrips(client: Database.Database, { name, userId, trips }: Ledger): string[] {
  const nameOf = client.prepare('select name from trips where id = ? and user_id = ?').pluck()
  return [...trips].flatMap(([id, trip]) =>
    nameOf.get(id, userId) === trip ? [] : `${name}: the trip ${id} is lost or has another name`,
  )
}

/** Checks the tokens. `lost` is true if the client missed the response with the next token. */
function checkFamily(client: Database.Database, { family, unanswered, name }: Ledger): [lost: boolean, string[]] {
  const usedAt = client.prepare('select used_at from oauth_refresh_tokens where hash = ? and family_id = ?').pluck()
  const state = (token: string) => {
    const used = usedAt.get(digest(token), family.id)
    return used === undefined ? 'missing' : used === null ? 'unspent' : 'spent'
  }
  const rows = client.prepare('select count(*) from oauth_refresh_tokens where family_id = ?').pluck().get(family.id)
  const revoked = client.prepare('select revoked_at from oauth_families where id = ?').pluck().get(family.id)
  const rotated = unanswered?.kind === 'refresh' && state(family.token) === 'spent'
  const problems = family.spent.filter((token) => state(token) !== 'spent').map(() => 'an old token is not spent')
  if (revoked !== null) problems.push('its family is gone or revoked')
  if (!rotated && state(family.token) !== 'unspent') problems.push(`its token is ${state(family.token)}`)
  const expected = family.spent.length + (rotated ? 2 : 1)
  if (rows !== expected) problems.push(`its family has ${rows} tokens instead of ${expected}`)
  return [rotated, problems.map((text) => `${name}: ${text}`)]
}

export interface Verdict {
  problems: string[]
  /** Ledgers whose client missed the response to a rotation and must connect again. */
  disconnected: Ledger[]
}

/** Opens and closes a database as the server does. */
export function startProblems(dataDir: string): string[] {
  try {
    closeDatabase(openDatabase(dataDir))
    return []
  } catch (error) {
    return [`it does not start: ${(error as Error).message}`]
  }
}

/** Checks integrity, foreign keys and partial writes, independent of the ledgers. */
export function consistencyProblems(client: Database.Database): string[] {
  const integrity = client.pragma('integrity_check', { simple: true })
  const dangling = client.pragma('foreign_key_check') as unknown[]
  const problems = integrity === 'ok' ? [] : [`integrity_check: ${integrity}`]
  if (dangling.length > 0) problems.push(`foreign_key_check: ${JSON.stringify(dangling)}`)
  for (const [what, query] of Object.entries(PARTIAL_WRITES)) {
    const count = client.prepare(query).pluck().get()
    if (count !== 0) problems.push(`${count} ${what}`)
  }
  return problems
}

/** Compares the database with all acknowledged writes, and resolves unanswered requests. */
export function compareWithLedgers(file: string, ledgers: readonly Ledger[]): Verdict {
  const client = new Database(file, { readonly: true })
  try {
    const problems = consistencyProblems(client)
    const [found, deleted] = [storedFlights(client), deletedFlights(client)]
    const disconnected: Ledger[] = []
    for (const ledger of ledgers) {
      const [lost, familyProblems] = checkFamily(client, ledger)
      if (lost) disconnected.push(ledger)
      problems.push(...settleFlights(ledger, found), ...familyProblems)
      problems.push(...checkRows(ledger, ledger.flights, found, 'is lost'))
      problems.push(...checkRows(ledger, ledger.deleted, deleted, 'cannot be restored'))
      problems.push(...checkTrips(client, ledger))
      ledger.unanswered = undefined
    }
    return { problems, disconnected }
  } finally {
    client.close()
  }
}
