import { eq } from 'drizzle-orm'
import type { Config } from '../config.ts'
import { databasePath, requireUsable } from '../db/directory.ts'
import { schemaState } from '../db/migrate.ts'
import { closeDatabase, type Db, openExisting } from '../db/open.ts'
import { postgresChecks, requireReachable } from '../db/postgres/checks.ts'
import { fileOf, sqliteOf } from '../db/sqlite.ts'
import { users } from '../db/tables/index.ts'
import { loadedVersion } from '../domain/reference/load.ts'
import { shippedVersion } from '../domain/reference/shipped.ts'
import { Refusal } from '../lib/refusal.ts'
import { type Command, printJson } from './command.ts'

/** Says what is well; throws a Refusal that says what is not. */
type Check = () => string

function fileChecks(db: Db): Record<string, Check> {
  const client = sqliteOf(db)
  return {
    integrity: () => {
      const verdict = client.pragma('integrity_check(1)', { simple: true })
      if (verdict !== 'ok') throw new Refusal(`The database is damaged: ${verdict}. Put a good backup in its place.`)
      return 'Every page of the database is sound.'
    },
    'foreign keys': () => {
      const dangling = client.pragma('foreign_key_check') as unknown[]
      if (dangling.length > 0) throw new Refusal(`${dangling.length} rows point at rows that do not exist.`)
      return 'Every reference leads somewhere.'
    },
    schema: () => {
      const { newer, pending, applied } = schemaState(db)
      if (newer) throw new Refusal('The database was written by a newer Paxlog: start that version.')
      if (pending.length > 0) {
        throw new Refusal(`The schema is ${pending.length} migration(s) behind: "paxlog serve" applies them.`)
      }
      return `The schema is current, with ${applied} migration(s).`
    },
  }
}

/** A new database has none before its first start. */
const hasTables = (db: Db) =>
  fileOf(db) !== undefined || db.$client.prepare('select to_regclass(?) is not null').pluck().get('users') === 1

/** The same wherever the data is. */
function contentChecks(db: Db): Record<string, Check> {
  return {
    'reference data': () => {
      if (loadedVersion(db) === shippedVersion()) return 'The tables hold the data that this version ships.'
      throw new Refusal('The tables hold other data than this version ships: "paxlog reference update" renews them.')
    },
    owner: () => {
      const owner = db.select({ name: users.username }).from(users).where(eq(users.isOwner, true)).get()
      if (owner) return `The owner is ${owner.name}.`
      throw new Refusal('There is no owner: "paxlog user create --owner" makes one.')
    },
  }
}

function report(checks: Record<string, Check>): boolean {
  let well = true
  for (const [check, run] of Object.entries(checks)) {
    try {
      printJson({ check, ok: true, message: run() })
    } catch (error) {
      // A check that fails in a way nobody foresaw is still a finding about this instance.
      printJson({ check, ok: false, message: (error as Error).message })
      well = false
    }
  }
  return well
}

export const doctor: Command = {
  name: 'doctor',
  usage: '',
  summary: 'Check settings, directory, database and data',
  details: 'Prints a line for each check and ends with exit code 1 when one fails. Nothing is changed.',
  run: (call) => {
    let config: Config | undefined
    const settings = report({
      settings: () => {
        config = call.config()
        return 'Every setting can be used.'
      },
    })
    if (!config) return 1
    const { dataDir, databaseUrl } = config
    const directory = report({
      directory: () => {
        requireUsable(dataDir)
        return `${dataDir} is a writable local directory.`
      },
    })
    let db: Db | undefined
    const opened = report({
      database: () => {
        db = openExisting(dataDir, databaseUrl)
        if (databaseUrl === undefined) return `${databasePath(dataDir)} can be opened.`
        requireReachable(db, 'DATABASE_URL')
        return 'PostgreSQL answers.'
      },
    })
    if (!db || !opened) return 1
    const engine = databaseUrl === undefined ? fileChecks(db) : postgresChecks(db)
    const contents = report({ ...engine, ...(hasTables(db) && contentChecks(db)) })
    closeDatabase(db)
    return settings && directory && contents ? 0 : 1
  },
}
