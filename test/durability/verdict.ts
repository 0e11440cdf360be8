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
}

interface Found {
  id: number
  writer: string
  content: Content
}

/** A flight belongs to the writer whose name its number begins with. */
const FLIGHTS = `
  select f.id, f.flight_number as tag, substr(f.flight_number, 1, instr(f.flight_number, 'x') - 1) as writer,
    f.date, f.note, t.points,
    (select value from flight_values where flight_id = f.id) as mood,
    (select json_group_array(json_array(coalesce(p.user_id, p.guest_name), p.seat,
        json((select value from passenger_values where passenger_id = p.id))) order by p.id)
      from passengers p where p.flight_id = f.id) as passengers
  from flights f left join flight_tracks t on t.flight_id = f.id where f.flight_number like 'writer%'`

/** What a transaction that was cut in two would leave behind; each query counts such rows. */
const HALVES: Record<string, string> = {
  'flights without a passenger': 'select count(*) from flights where id not in (select flight_id from passengers)',
  'passengers of no flight': 'select count(*) from passengers where flight_id not in (select id from flights)',
  'passengers with another date than their flight':
    'select count(*) from passengers p join flights f on f.id = p.flight_id where p.date <> f.date',
  'values of no flight': 'select count(*) from flight_values where flight_id not in (select id from flights)',
  'values of no passenger':
    'select count(*) from passenger_values where passenger_id not in (select id from passengers)',
  'tracks of no flight': 'select count(*) from flight_tracks where flight_id not in (select id from flights)',
  'refresh tokens of no family':
    'select count(*) from oauth_refresh_tokens where family_id not in (select id from oauth_families)',
  'access tokens of no family':
    'select count(*) from oauth_access_tokens where family_id not in (select id from oauth_families)',
  'families of no grant': 'select count(*) from oauth_families where grant_id not in (select id from oauth_grants)',
  'families without exactly one unspent token': `select count(*) from (select f.id from oauth_families f
      left join oauth_refresh_tokens t on t.family_id = f.id and t.used_at is null group by f.id having count(t.hash) <> 1)`,
  'families without an access token for each rotation': `select count(*) from oauth_families f
    where (select count(*) from oauth_access_tokens where family_id = f.id)
      <> (select count(*) from oauth_refresh_tokens where family_id = f.id and used_at is not null)`,
}

/** Tracks are kept as the compressed text of their lists. */
const coordinates = (points: Buffer): number[][] => JSON.parse(`{${brotliDecompressSync(points)}}`).coordinates

/** The order of members is the one of a ledger, so that equal content is equal text. */
function contentOf({ date, note, mood, passengers, points }: Row): Content {
  return {
    date,
    note,
    mood: mood === null ? null : JSON.parse(mood),
    passengers: JSON.parse(passengers),
    track: points && coordinates(points),
  }
}

/** Every flight of a writer by its number. */
export function storedFlights(client: Database.Database): Map<string, Found> {
  const rows = client.prepare(FLIGHTS).all() as Row[]
  return new Map(rows.map((row) => [row.tag, { id: row.id, writer: row.writer, content: contentOf(row) }]))
}

export const same = (a: Content, b: Content | undefined) => JSON.stringify(a) === JSON.stringify(b)

/** Settles the one request of which nobody knows whether it happened, by what is there; half of it is a complaint. */
function settleFlights(ledger: Ledger, found: Map<string, Found>): string[] {
  const { unanswered, flights, name } = ledger
  if (!unanswered || unanswered.kind === 'refresh') return []
  if (unanswered.kind === 'delete') {
    if (!found.has(unanswered.tag)) flights.delete(unanswered.tag)
    return []
  }
  const happened = unanswered.rows.filter(([tag, content]) => same(content, found.get(tag)?.content))
  for (const [tag, content] of happened) flights.set(tag, { id: found.get(tag)!.id, content })
  if (happened.length === 0 || happened.length === unanswered.rows.length) return []
  return [`${name}: half of a write is there, ${happened.length} of ${unanswered.rows.length} rows`]
}

function judgeFlights(ledger: Ledger, found: Map<string, Found>): string[] {
  const complaints = settleFlights(ledger, found)
  for (const [tag, known] of ledger.flights) {
    const row = found.get(tag)
    if (!row) complaints.push(`${tag} is lost`)
    else if (known.id !== undefined && known.id !== row.id) complaints.push(`${tag} has another id`)
    else if (!same(known.content, row.content))
      complaints.push(`${tag} is ${JSON.stringify(row.content)} instead of ${JSON.stringify(known.content)}`)
    else known.id = row.id
  }
  for (const [tag, { writer }] of found) {
    if (writer === ledger.name && !ledger.flights.has(tag)) complaints.push(`${tag} should not be there`)
  }
  return complaints
}

/** True for a family that its client can no longer use: the answer with the next token never arrived. */
function judgeFamily(client: Database.Database, { family, unanswered, name }: Ledger): [lost: boolean, string[]] {
  const usedAt = client.prepare('select used_at from oauth_refresh_tokens where hash = ? and family_id = ?').pluck()
  const state = (token: string) => {
    const used = usedAt.get(digest(token), family.id)
    return used === undefined ? 'missing' : used === null ? 'unspent' : 'spent'
  }
  const rows = client.prepare('select count(*) from oauth_refresh_tokens where family_id = ?').pluck().get(family.id)
  const revoked = client.prepare('select revoked_at from oauth_families where id = ?').pluck().get(family.id)
  const rotated = unanswered?.kind === 'refresh' && state(family.token) === 'spent'
  const complaints = family.spent.filter((token) => state(token) !== 'spent').map(() => 'an old token is not spent')
  if (revoked !== null) complaints.push('its family is gone or revoked')
  if (!rotated && state(family.token) !== 'unspent') complaints.push(`its token is ${state(family.token)}`)
  const wanted = family.spent.length + (rotated ? 2 : 1)
  if (rows !== wanted) complaints.push(`its family has ${rows} tokens instead of ${wanted}`)
  return [rotated, complaints.map((text) => `${name}: ${text}`)]
}

export interface Verdict {
  complaints: string[]
  /** Ledgers whose client missed the answer to a rotation; they need a connection of their own again. */
  disconnected: Ledger[]
}

/** Opens and closes a database as the server does. */
export function complaintsAtStart(dataDir: string): string[] {
  try {
    closeDatabase(openDatabase(dataDir))
    return []
  } catch (error) {
    return [`it does not start: ${(error as Error).message}`]
  }
}

/** What can be said against a database without knowing what was written to it. */
export function faultsOf(client: Database.Database): string[] {
  const integrity = client.pragma('integrity_check', { simple: true })
  const dangling = client.pragma('foreign_key_check') as unknown[]
  const complaints = integrity === 'ok' ? [] : [`integrity_check: ${integrity}`]
  if (dangling.length > 0) complaints.push(`foreign_key_check: ${JSON.stringify(dangling)}`)
  for (const [what, query] of Object.entries(HALVES)) {
    const count = client.prepare(query).pluck().get()
    if (count !== 0) complaints.push(`${count} ${what}`)
  }
  return complaints
}

/** Holds the database against everything that was acknowledged; afterwards no request is unsettled. */
export function judge(file: string, ledgers: readonly Ledger[]): Verdict {
  const client = new Database(file, { readonly: true })
  try {
    const complaints = faultsOf(client)
    const found = storedFlights(client)
    const disconnected: Ledger[] = []
    for (const ledger of ledgers) {
      const [lost, familyComplaints] = judgeFamily(client, ledger)
      if (lost) disconnected.push(ledger)
      complaints.push(...judgeFlights(ledger, found), ...familyComplaints)
      ledger.unanswered = undefined
    }
    return { complaints, disconnected }
  } finally {
    client.close()
  }
}
