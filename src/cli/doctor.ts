import type { Config } from '../app/config.ts'
import { createServices } from '../app/services.ts'
import { databasePath, requireUsable } from '../db/directory.ts'
import { schemaState } from '../db/maintenance/migrate.ts'
import { closeDatabase, type Db, openExisting } from '../db/open.ts'
import { postgresChecks, requireReachable } from '../db/postgres/checks.ts'
import { requireSqlite, sqliteOf } from '../db/sqlite/sqlite.ts'
import { loadedVersion } from '../domain/reference/load.ts'
import { shippedVersion } from '../domain/reference/shipped.ts'
import { pluralize } from '../lib/english.ts'
import { StartupError } from '../lib/startup-error.ts'
import { type Command, printJson } from './command.ts'

/** Returns a message if the check passes, and throws a StartupError otherwise. */
type Check = () => string

function fileChecks(db: Db): Record<string, Check> {
  const client = requireSqlite(db)
  return {
    integrity: () => {
      const verdict = client.pragma('integrity_check(1)', { simple: true })
      if (verdict !== 'ok') throw new StartupError(`The database is damaged: ${verdict}. Restore a backup.`)
      return 'The integrity check passed.'
    },
    'foreign keys': () => {
      const dangling = client.pragma('foreign_key_check') as unknown[]
      if (dangling.length > 0) throw new StartupError(`${dangling.length} rows refer to rows that do not exist.`)
      return 'All references are valid.'
    },
    schema: () => {
      const { newer, pending, applied } = schemaState(db)
      if (newer) throw new StartupError('The database was written by a newer version of Paxlog. Start that version.')
      if (pending.length > 0) {
        throw new StartupError(`The schema is ${pending.length} migration(s) behind. Apply them with "paxlog serve".`)
      }
      return `The schema is up to date (${applied} migrations).`
    },
  }
}

/** A new PostgreSQL database has no tables before the first start. */
const hasTables = (db: Db) =>
  sqliteOf(db) !== undefined || db.$client.prepare('select to_regclass(?) is not null').pluck().get('users') === 1

/** Browsers bind a passkey to the host of BASE_URL. */
function checkPasskeys(db: Db, baseUrl: string): string {
  const { passkeys } = createServices({ db, baseUrl })
  const others = passkeys.countByOtherHosts()
  if (others.length === 0) return `${pluralize(passkeys.countAll(), 'passkey')} can be used.`
  const lost = others.map(
    ({ rpId, passkeys: count, users }) => `${pluralize(count, 'passkey')} of ${pluralize(users, 'user')} for ${rpId}`,
  )
  throw new StartupError(
    `BASE_URL is ${baseUrl}, where these passkeys do not work: ${lost.join(', ')}. Restore the former host in BASE_URL, or let the users sign in in another way, remove these passkeys and add new ones.`,
  )
}

function contentChecks(db: Db, { deletedFlightsDays, baseUrl = 'http://localhost' }: Config): Record<string, Check> {
  return {
    'reference data': () => {
      if (loadedVersion(db) === shippedVersion()) return 'The reference data is up to date.'
      throw new StartupError(
        'The reference data is not that of this version. Update it with "paxlog reference update".',
      )
    },
    owner: () => {
      const owner = createServices({ db }).users.owner()
      if (owner) return `The owner is ${owner.username}.`
      throw new StartupError('There is no owner. Create one with "paxlog user create --owner".')
    },
    passkeys: () => checkPasskeys(db, baseUrl),
    'deleted flights': () => {
      const found = createServices({ db, deletedFlightsDays }).deletedFlights.count()
      return `${pluralize(found, 'deleted flight')} can be restored.`
    },
  }
}

function check(name: string, run: Check): boolean {
  try {
    printJson({ check: name, ok: true, message: run() })
    return true
  } catch (error) {
    printJson({ check: name, ok: false, message: (error as Error).message })
    return false
  }
}

export const doctor: Command = {
  name: 'doctor',
  usage: '',
  summary: 'Check settings, directory, database and data',
  details: 'Prints one line per check. Exits with code 1 if a check fails. Changes nothing.',
  run: (call) => {
    let config: Config | undefined
    check('settings', () => {
      config = call.config()
      return 'All settings are valid.'
    })
    if (!config) return 1
    const { dataDir, databaseUrl } = config
    const isUsable = check('directory', () => {
      requireUsable(dataDir)
      return `${dataDir} is a writable local directory.`
    })
    let db: Db | undefined
    const isOpen = check('database', () => {
      db = openExisting(dataDir, databaseUrl)
      if (databaseUrl === undefined) return `${databasePath(dataDir)} can be opened.`
      requireReachable(db, 'DATABASE_URL')
      return 'PostgreSQL is reachable.'
    })
    if (!db || !isOpen) return 1
    const engine = databaseUrl === undefined ? fileChecks(db) : postgresChecks(db, databaseUrl)
    const checks = Object.entries<Check>({
      ...engine,
      ...(hasTables(db) && contentChecks(db, config)),
    })
    const results = checks.map(([name, run]) => check(name, run))
    closeDatabase(db)
    return isUsable && results.every(Boolean) ? 0 : 1
  },
}
