import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type Database from 'better-sqlite3'
import { inject, onTestFinished } from 'vitest'
import type { Db } from '../../src/db/open.ts'
import { sqliteOf } from '../../src/db/sqlite/sqlite.ts'
import { write } from '../../src/db/write.ts'
import type { OpenPaxlog, PaxlogOptions } from './paxlog.ts'

/** An app with the means to reuse it. */
interface Pooled {
  instance: OpenPaxlog
  /** Resets the database to its initial content. */
  empty: () => Promise<void>
  clocks: Clocks
  uses: number
}

type Opener = (dataDir: string, options: PaxlogOptions, limitsNow: () => number) => Promise<OpenPaxlog>

/** Apps with other options are not pooled. */
const POOLED_OPTIONS: readonly string[] = [
  'baseUrl',
  'bodyLimit',
  'legacyObjects',
  'privateSchemes',
  'graceSeconds',
  'oauthClientMetadata',
  'passwordSignIn',
  'now',
  'addressHeader',
  'xffDepth',
  'operations',
] satisfies (keyof PaxlogOptions)[]

const MAX_IDLE = 4
/** Each use shifts the clock of limits by a minute. */
const MAX_USES = 60

const idle = new Map<string, Pooled>()

const functions: unknown[] = []

/** Returns a number that identifies a function. */
function numberOf(work: unknown): number {
  if (!functions.includes(work)) functions.push(work)
  return functions.indexOf(work)
}

const isPooled = (options: PaxlogOptions) => Object.keys(options).every((name) => POOLED_OPTIONS.includes(name))

/**
 * Returns an app with an empty database, possibly from a previous test, because creating one takes longer than most tests.
 * An app is closed if its test failed, closed the database or changed the schema. Returns undefined for options that
 * cannot be pooled.
 */
export async function fromPool(options: PaxlogOptions, open: Opener): Promise<OpenPaxlog | undefined> {
  if (!isPooled(options)) return undefined
  const key = JSON.stringify({ ...options, now: options.now !== undefined, operations: numberOf(options.operations) })
  const pooledApp = idle.get(key)
  const pooled = pooledApp?.clocks.fits(options.now) ? pooledApp : await newApp(options, open)
  if (pooled === pooledApp) idle.delete(key)
  pooled.clocks.begin(options.now)
  if (pooled.uses > 0) await pooled.empty()
  pooled.uses++
  const schema = schemaOf(pooled.instance.db)
  onTestFinished(async ({ task }) => {
    const { app, db } = pooled.instance
    const isUnchanged = db.$client.open && !db.$client.inTransaction && schemaOf(db) === schema
    const usable = isUnchanged && pooled.uses < MAX_USES && task.result?.state !== 'fail'
    if (!usable) return pooled.instance.close()
    // A listening app must not keep the process alive.
    app.server.unref()
    const other = idle.get(key)
    idle.delete(key)
    idle.set(key, pooled)
    await other?.instance.close()
    if (idle.size > MAX_IDLE) await closeOldest()
  })
  return pooled.instance
}

async function closeOldest(): Promise<void> {
  for (const [key, { instance }] of idle) {
    idle.delete(key)
    return instance.close()
  }
}

const HOUR_MS = 3_600_000
let hours = 0

/** A time that no other test uses. Apps with a clock are reused only an hour after the last counted request. */
export const unusedTime = () => Date.now() + HOUR_MS * 2 * ++hours

type Clocks = ReturnType<typeof replaceableClocks>

/** Clocks of an app that each test can replace. Each test starts with unused limits. */
function replaceableClocks() {
  let testClock: (() => number) | undefined
  // Shift the clock of limits by a minute per test, towards noon, so that the day does not change.
  const step = new Date().getUTCHours() < 12 ? 61_000 : -61_000
  let offset = 0
  let latestCount = Number.NEGATIVE_INFINITY
  return {
    now: () => testClock!(),
    limitsNow(): number {
      if (!testClock) return Date.now() + offset
      const time = testClock()
      latestCount = Math.max(latestCount, time)
      return time
    },
    begin(now: (() => number) | undefined): void {
      testClock = now
      offset += step
    },
    fits: (now: (() => number) | undefined) =>
      now === undefined || latestCount === Number.NEGATIVE_INFINITY || now() > latestCount + HOUR_MS,
  }
}

function schemaOf(db: Db): unknown {
  const file = sqliteOf(db)
  if (file) return file.pragma('schema_version', { simple: true })
  return db.$client.prepare("select count(*) from pg_class where relpersistence <> 't'").pluck().get()
}

async function newApp(options: PaxlogOptions, open: Opener): Promise<Pooled> {
  const folder = join(inject('runFolder'), 'apps')
  mkdirSync(folder, { recursive: true })
  const clocks = replaceableClocks()
  clocks.begin(options.now)
  const ownTime = options.now && { now: clocks.now }
  const instance = await open(mkdtempSync(join(folder, 'app-')), { ...options, ...ownTime }, clocks.limitsNow)
  return { instance, empty: createReset(instance), clocks, uses: 0 }
}

/** Tables whose ids must not be reused, because times of last use are cached by id. */
const KEEP_SEQUENCE = ['api_keys', 'oauth_grants']

/** Returns a function that resets the tables to their current rows and reinstalls the roles. */
function createReset({ db, services }: OpenPaxlog): () => Promise<void> {
  const file = sqliteOf(db)
  const restore = file ? resetSqlite(file) : resetPostgres(db)
  return async () => {
    restore()
    // The rows were not changed by `write`, so invalidate the caches.
    await write(db, 'reference', () => undefined)
    await services.roles.installBuiltIn()
  }
}

/** Deletes and inserts rows without constraints and triggers. */
function resetPostgres({ $client: client }: Db): () => void {
  const names = client
    .prepare(
      "select tablename from pg_tables where schemaname = 'public' and tablename not in ('paxlog_migrations', 'writers', 'write_turn')",
    )
    .pluck()
    .all() as string[]
  const identities = client
    .prepare(
      "select table_name, column_name from information_schema.columns where table_schema = 'public' and is_identity = 'YES'",
    )
    .raw()
    .all() as [table: string, column: string][]
  const initialRows = names
    .filter((name) => name !== 'roles')
    .map((name) => ({ name, rows: client.prepare(`select * from ${name}`).raw().all() as unknown[][] }))
    .filter(({ rows }) => rows.length > 0)
  // Use setval, because restarting a sequence changes the schema and invalidates prepared statements.
  const restarts = identities
    .filter(([name]) => !KEEP_SEQUENCE.includes(name))
    .map(([name, column]) => `select setval(pg_get_serial_sequence('${name}', '${column}'), 1, false)`)
  const work = [
    "set session_replication_role = 'replica'",
    ...names.map((name) => `delete from ${name}`),
    ...restarts,
    "set session_replication_role = 'origin'",
  ].join('; ')
  return () => {
    client.exec(work)
    for (const { name, rows } of initialRows)
      for (const row of rows) client.prepare(`insert into ${name} values (${row.map(() => '?').join()})`).run(row)
  }
}

function resetSqlite(client: Database.Database): () => void {
  const names = client.prepare("select name from sqlite_schema where type = 'table'").pluck().all() as string[]
  // Tables that triggers fill are emptied last.
  const lastTables = ['change_positions', 'flight_changes', 'flight_removals', 'sqlite_sequence']
  const tables = [...names.filter((name) => !lastTables.includes(name)), ...lastTables].filter(
    (name) => name !== 'sqlite_stat1',
  )
  const keptNames = KEEP_SEQUENCE.map((name) => `'${name}'`).join()
  const work = tables.map((table) => {
    const rows = table === 'roles' ? [] : (client.prepare(`select * from ${table}`).raw().all() as unknown[][])
    const marks = rows[0]?.map(() => '?').join() ?? ''
    return {
      remove: client.prepare(
        `delete from ${table} ${table === 'sqlite_sequence' ? `where name not in (${keptNames})` : ''}`,
      ),
      insert: rows.length > 0 ? client.prepare(`insert into ${table} values (${marks})`) : undefined,
      rows,
    }
  })
  const restore = client.transaction(() => {
    for (const { remove } of work) remove.run()
    for (const { insert, rows } of work) for (const row of rows) insert!.run(...row)
  })
  return () => {
    client.pragma('foreign_keys = off')
    restore()
    client.pragma('foreign_keys = on')
    client.pragma('synchronous = off')
  }
}
