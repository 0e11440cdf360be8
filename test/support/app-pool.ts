import { mkdirSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import type Database from 'better-sqlite3'
import { inject, onTestFinished } from 'vitest'
import type { Db } from '../../src/db/open.ts'
import { sqliteOf } from '../../src/db/sqlite/sqlite.ts'
import { write } from '../../src/db/write.ts'
import type { OpenPaxlog, PaxlogOptions } from './paxlog.ts'

/** An app in use and what it takes to hand it on. */
interface Pooled {
  instance: OpenPaxlog
  /** Brings the database back to what it held when it was new. */
  empty: () => Promise<void>
  clocks: Clocks
  uses: number
}

type Opener = (dataDir: string, options: PaxlogOptions, limitsNow: () => number) => Promise<OpenPaxlog>

/** An option that is not among these makes an app that nobody else can use. */
const POOLED_OPTIONS: readonly string[] = [
  'baseUrl',
  'bodyLimit',
  'legacyObjects',
  'privateSchemes',
  'graceSeconds',
  'passwordSignIn',
  'now',
  'addressHeader',
  'xffDepth',
  'operations',
] satisfies (keyof PaxlogOptions)[]

const MOST_IDLE = 4
/** As many minutes as the time of the limits may be off. */
const MOST_USES = 60

const idle = new Map<string, Pooled>()

const functions: unknown[] = []

/** Tells the functions that make operations apart. */
function numberOf(work: unknown): number {
  if (!functions.includes(work)) functions.push(work)
  return functions.indexOf(work)
}

const isPooled = (options: PaxlogOptions) => Object.keys(options).every((name) => POOLED_OPTIONS.includes(name))

/**
 * An app with an empty database, which another test may have had before: building one takes longer than most tests. What
 * a test did to it that emptying cannot undo (it closed the database, changed the schema) ends it, and so does a failure.
 * Undefined where an app of its own is asked for.
 */
export async function fromPool(options: PaxlogOptions, open: Opener): Promise<OpenPaxlog | undefined> {
  if (!isPooled(options)) return undefined
  const key = JSON.stringify({ ...options, now: options.now !== undefined, operations: numberOf(options.operations) })
  const known = idle.get(key)
  const pooled = known?.clocks.fits(options.now) ? known : await newApp(options, open)
  if (pooled === known) idle.delete(key)
  pooled.clocks.begin(options.now)
  if (pooled.uses > 0) await pooled.empty()
  pooled.uses++
  const schema = schemaOf(pooled.instance.db)
  onTestFinished(async ({ task }) => {
    const { app, db } = pooled.instance
    const asBefore = db.$client.open && !db.$client.inTransaction && schemaOf(db) === schema
    const usable = asBefore && pooled.uses < MOST_USES && task.result?.state !== 'fail'
    if (!usable) return pooled.instance.close()
    // Where it listens it may go on, but it keeps no process alive.
    app.server.unref()
    const other = idle.get(key)
    idle.delete(key)
    idle.set(key, pooled)
    await other?.instance.close()
    if (idle.size > MOST_IDLE) await closeOldest()
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

/** Now, by a clock that no test has used: an app with a clock goes on only where nothing was counted within an hour. */
export const unusedTime = () => Date.now() + HOUR_MS * 2 * ++hours

type Clocks = ReturnType<typeof replaceableClocks>

/** The time of an app, which each test may have from elsewhere. Each begins with unused limits. */
function replaceableClocks() {
  let given: (() => number) | undefined
  // Limits by the real clock are moved by a minute with each test, towards noon, so that the day stays.
  const step = new Date().getUTCHours() < 12 ? 61_000 : -61_000
  let offset = 0
  let latestCount = Number.NEGATIVE_INFINITY
  return {
    now: () => given!(),
    limitsNow(): number {
      if (!given) return Date.now() + offset
      const time = given()
      latestCount = Math.max(latestCount, time)
      return time
    },
    begin(now: (() => number) | undefined): void {
      given = now
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
  return { instance, empty: emptying(instance), clocks, uses: 0 }
}

/** Ids that are counted on, since times of last use are kept in memory by id. */
const COUNTED_ON = ['api_keys', 'oauth_grants']

/** Brings the tables back to what they hold now, with roles as a start makes them. */
function emptying({ db, services }: OpenPaxlog): () => Promise<void> {
  const file = sqliteOf(db)
  const restore = file ? emptyingFile(file) : emptyingServer(db)
  return async () => {
    restore()
    // The rows were not written by `write`, so no cache has noticed.
    await write(db, 'reference', () => undefined)
    await services.roles.installBuiltIn()
  }
}

/** Without rules and triggers, as for a file below. */
function emptyingServer({ $client: client }: Db): () => void {
  const names = client
    .prepare("select tablename from pg_tables where schemaname = 'public' and tablename <> 'paxlog_migrations'")
    .pluck()
    .all() as string[]
  const counted = client
    .prepare("select table_name from information_schema.columns where table_schema = 'public' and is_identity = 'YES'")
    .pluck()
    .all() as string[]
  const kept = names
    .filter((name) => name !== 'roles')
    .map((name) => ({ name, rows: client.prepare(`select * from ${name}`).raw().all() as unknown[][] }))
    .filter(({ rows }) => rows.length > 0)
  // To restart a sequence is a change of the schema, after which every statement is planned anew; to set it is none.
  const restarts = counted
    .filter((name) => !COUNTED_ON.includes(name))
    .map((name) => [name, name === 'change_positions' ? 'seq' : 'id'])
    .map(([name, column]) => `select setval(pg_get_serial_sequence('${name}', '${column}'), 1, false)`)
  const work = [
    "set session_replication_role = 'replica'",
    ...names.map((name) => `delete from ${name}`),
    ...restarts,
    "set session_replication_role = 'origin'",
  ].join('; ')
  return () => {
    client.exec(work)
    for (const { name, rows } of kept)
      for (const row of rows) client.prepare(`insert into ${name} values (${row.map(() => '?').join()})`).run(row)
  }
}

function emptyingFile(client: Database.Database): () => void {
  const names = client.prepare("select name from sqlite_schema where type = 'table'").pluck().all() as string[]
  // What triggers write while rows are deleted goes last.
  const late = ['change_positions', 'flight_changes', 'flight_removals', 'sqlite_sequence']
  const tables = [...names.filter((name) => !late.includes(name)), ...late].filter((name) => name !== 'sqlite_stat1')
  const kept = COUNTED_ON.map((name) => `'${name}'`).join()
  const work = tables.map((table) => {
    const rows = table === 'roles' ? [] : (client.prepare(`select * from ${table}`).raw().all() as unknown[][])
    const marks = rows[0]?.map(() => '?').join() ?? ''
    return {
      remove: client.prepare(
        `delete from ${table} ${table === 'sqlite_sequence' ? `where name not in (${kept})` : ''}`,
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
