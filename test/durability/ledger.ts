import type Database from 'better-sqlite3'
import { scopeNames } from '../../src/access/scopes.ts'
import { createServices } from '../../src/app/services.ts'
import { databasePath } from '../../src/db/directory.ts'
import type { Engine } from '../../src/db/engine.ts'
import { closeDatabase, openDatabase } from '../../src/db/open.ts'
import { requireSqlite } from '../../src/db/sqlite/sqlite.ts'
import { shippedVersion } from '../../src/domain/reference/shipped.ts'
import { digest, newApiKey, newSecret } from '../../src/lib/secret.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { places } from '../support/travel.ts'

/** The content of a flight, with a fixed property order, so that two can be compared as JSON. */
export interface Content {
  date: string
  note: string
  mood: string | null
  passengers: [name: string, seat: string | null, meal: string | null][]
  track: number[][] | null
  /** The name of its trip. */
  trip: string | null
}

/** A request without a response, which must be applied completely or not at all. */
type Unanswered =
  | { kind: 'create' | 'update'; rows: [tag: string, content: Content][] }
  | { kind: 'import'; rows: [tag: string, content: Content][] }
  | { kind: 'delete' | 'restore'; tag: string }
  | { kind: 'delete-trip'; tripId: number; rows: [tag: string, content: Content][] }
  | { kind: 'refresh' }

/** The refresh tokens of one connection that the client has received. */
export interface Family {
  id: number
  token: string
  /** Tokens before each acknowledged rotation, oldest first. */
  spent: string[]
}

/** All writes that the server acknowledged to one writer. Every flight has a unique flight number. */
export interface Ledger {
  name: string
  userId: string
  key: string
  grantId: number
  flights: Map<string, { id: number | undefined; content: Content }>
  /** Flights that can be restored. */
  deleted: Map<string, { id: number | undefined; content: Content }>
  /** The names of trips by id. */
  trips: Map<number, string>
  family: Family
  unanswered: Unanswered | undefined
  acknowledged: number
  /** The client port of the last response. */
  answeredOn?: number
}

export const BASE_URL = 'http://localhost:3000'
export const CLIENT_ID = 'trip-board'

const USER = `insert into users (id, username, display_name, password_hash, role_id, is_owner, created_at, updated_at)
  values (?, ?, ?, '', 'role-user', 0, 0, 0)`
const KEY = "insert into api_keys (user_id, name, hash, scopes, created_at) values (?, 'writer', ?, ?, 0)"
const FIELDS = `insert into custom_fields
    (entity_type, key, label, field_type, required, sort_order, active, created_at, updated_at)
  values ('flight', 'mood', 'Mood', 'text', 0, 0, 1, 0, 0), ('flight_passenger', 'meal', 'Meal', 'text', 0, 0, 1, 0, 0)`
const CLIENT = `insert into oauth_clients (id, name, redirect_uris, auth_method, created_at, idle_since)
  values ('${CLIENT_ID}', 'Trip board', '[]', 'none', 0, 0)`
const GRANT = `insert into oauth_grants (client_id, user_id, resource, scopes, redirect_host, approved_at)
  values ('${CLIENT_ID}', ?, '${BASE_URL}/api/v1', '["flight.read.own"]', 'board.example', 0)`

/** Issues a first refresh token, as a code exchange does. */
export function newFamily(client: Pick<Engine, 'prepare'>, grantId: number): Family {
  const token = newSecret('pxr_')
  const now = Date.now()
  const { lastInsertRowid } = client
    .prepare('insert into oauth_families (grant_id, created_at) values (?, ?)')
    .run(grantId, now)
  client
    .prepare(
      `insert into oauth_refresh_tokens (hash, family_id, scopes, issued_at, expires_at)
       values (?, ?, '["flight.read.own"]', ?, ?)`,
    )
    .run(digest(token), lastInsertRowid, now, now + 86_400_000)
  return { id: Number(lastInsertRowid), token, spent: [] }
}

function newLedger(client: Database.Database, name: string): Ledger {
  const [userId, key] = [`id-of-${name}`, newApiKey()]
  client.prepare(USER).run(userId, name, name)
  client.prepare(KEY).run(userId, digest(key), JSON.stringify(scopeNames))
  const grantId = Number(client.prepare(GRANT).run(userId).lastInsertRowid)
  const family = newFamily(client, grantId)
  const nothing = { flights: new Map(), deleted: new Map(), trips: new Map(), unanswered: undefined, acknowledged: 0 }
  return { name, userId, key, grantId, family, ...nothing }
}

/**
 * Creates a data directory with writers, each with a key and a connected application, and two custom fields. It has a few
 * airports but the version of the shipped data, because the full data would slow down every check of the file.
 */
export async function newLedgers(count: number) {
  const dataDir = temporaryFolder()
  const db = openDatabase(dataDir)
  await createServices({ db }).roles.installBuiltIn()
  db.$client.exec(`${FIELDS}; ${CLIENT}`)
  db.$client.prepare("insert into settings values ('reference_version', ?)").run(shippedVersion())
  const { airports } = places(db)
  const ledgers = Array.from({ length: count }, (_, index) => newLedger(requireSqlite(db), `writer${index + 1}`))
  closeDatabase(db)
  return { dataDir, file: databasePath(dataDir), ledgers, fromId: airports.ZRH, toId: airports.LIS }
}

export type Ledgers = Awaited<ReturnType<typeof newLedgers>>
