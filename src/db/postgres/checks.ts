import { Busy } from '../../lib/errors.ts'
import { StartupError } from '../../lib/startup-error.ts'
import type { Db } from '../connection.ts'
import { postgresClient } from './client.ts'
import { describeReason } from './errors.ts'
import { MIN_POSTGRES_VERSION, postgresSchemaState } from './migrate.ts'

/** Returns a message if the check passes, and throws a StartupError with advice otherwise. */
type Check = () => string

const RIGHTS = `
  select has_schema_privilege(current_schema(), 'create') as create, current_user as name, current_schema() as schema,
    (select count(*) from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
      and not pg_has_role(relowner, 'usage')) as foreign`

/** Attributes that Paxlog does not need. The initial superuser has the oid 10 and cannot give them up. */
const ROLE = `
  select quote_ident(rolname) as name, rolsuper as is_superuser, oid = 10 as is_initial, concat_ws(', ',
      case when rolsuper then 'SUPERUSER' end, case when rolcreatedb then 'CREATEDB' end,
      case when rolcreaterole then 'CREATEROLE' end, case when rolreplication then 'REPLICATION' end,
      case when rolbypassrls then 'BYPASSRLS' end) as attributes
  from pg_roles where rolname = current_user`

interface Role {
  name: string
  is_superuser: number
  is_initial: number
  attributes: string
}

function checkRole({ $client }: Db): string {
  const { name, is_superuser, is_initial, attributes } = $client.prepare(ROLE).get() as Role
  if (attributes === '') return `${name} is an ordinary role.`
  if (is_initial)
    throw new StartupError(
      `${name} is the initial superuser of the server. Paxlog needs an ordinary role: create one and move the database to it (docs/hosting.md, "Database and role").`,
    )
  const advice = `Run "alter role ${name} nosuperuser nocreatedb nocreaterole noreplication nobypassrls".`
  if (is_superuser) throw new StartupError(`${name} is a superuser, but Paxlog needs an ordinary role. ${advice}`)
  throw new StartupError(`${name} has rights that Paxlog does not need: ${attributes}. ${advice}`)
}

/**
 * Rejects pools in transaction mode, where a statement can run in the session of another client: there, a prepared
 * statement with the same name can be a different one. They give the session of an idle client to other transactions.
 */
function requireOwnSession({ $client }: Db, url: string): void {
  const readPid = $client.prepare('select pg_backend_pid()').pluck()
  const other = postgresClient(url, { name: '' })
  try {
    const pid = readPid.get()
    other.exec('begin')
    other.prepare('select 1').get()
    if (readPid.get() === pid && readPid.get() === pid) return
  } finally {
    other.close()
  }
  throw new StartupError(
    'The connection pool shares sessions between its clients. Connect to PostgreSQL directly, or set "pool_mode = session".',
  )
}

/** For the start of a server, which must not fail because a second connection is refused. */
export function rejectSharedSessions(db: Db, url: string): void {
  try {
    requireOwnSession(db, url)
  } catch (error) {
    if (!(error instanceof Busy)) throw error
  }
}

/** `url` is that of the database. */
export function postgresChecks(db: Db, url: string): Record<string, Check> {
  const client = db.$client
  const setting = (name: string) => client.prepare('select current_setting(?)').pluck().get(name) as string
  return {
    version: () => {
      if (Number(setting('server_version_num')) >= MIN_POSTGRES_VERSION)
        return `PostgreSQL ${setting('server_version')}.`
      throw new StartupError(`PostgreSQL ${setting('server_version')} is too old. Upgrade to 15 or newer.`)
    },
    encoding: () => {
      const encoding = setting('server_encoding')
      if (encoding === 'UTF8') return 'The encoding is UTF-8.'
      throw new StartupError(
        `The database has the encoding ${encoding}. Create another one with "createdb --encoding=UTF8 --template=template0".`,
      )
    },
    session: () => {
      requireOwnSession(db, url)
      return 'Each connection has its own session.'
    },
    isolation: () => {
      const found = client.transaction(() => setting('transaction_isolation')).immediate()
      if (found === 'serializable') return 'Transactions are serializable.'
      throw new StartupError(`Transactions are ${found}. Connect to PostgreSQL directly, or to a pool in session mode.`)
    },
    'writing server': () => {
      if (setting('transaction_read_only') === 'off') return 'The server accepts writes.'
      throw new StartupError(
        'The server is read-only. Set default_transaction_read_only to off for this user and database.',
      )
    },
    role: () => checkRole(db),
    rights: () => {
      const found = client.prepare(RIGHTS).get() as { create: number; name: string; schema: string; foreign: number }
      const { name, schema } = found
      if (!found.create)
        throw new StartupError(
          `${name} cannot create tables, so migrations fail. Run "grant create on schema ${schema} to ${name}".`,
        )
      if (found.foreign > 0)
        throw new StartupError(
          `${found.foreign} tables belong to another role, so migrations fail. Run "reassign owned by OTHER to ${name}".`,
        )
      return `${name} owns the tables and can create more.`
    },
    durability: () => {
      const off = ['fsync', 'full_page_writes', 'synchronous_commit'].filter((name) => setting(name) === 'off')
      if (off.length === 0) return 'Commits are durable.'
      throw new StartupError(`Turn on ${off.join(' and ')}: acknowledged writes can be lost.`)
    },
    schema: () => {
      const { newer, pending, applied } = postgresSchemaState(db)
      if (newer) throw new StartupError('The database was written by a newer version of Paxlog. Start that version.')
      if (applied === 0) throw new StartupError('The database is empty. "paxlog serve" creates its tables.')
      if (pending.length > 0)
        throw new StartupError(`The schema is ${pending.length} migration(s) behind. Apply them with "paxlog serve".`)
      return `The schema is up to date (${applied} migrations).`
    },
  }
}

/** `urlSource` is the setting or option of the URL. */
export function requireReachable({ $client }: Db, urlSource: string): void {
  try {
    $client.prepare('select 1').get()
  } catch (error) {
    throw new StartupError(
      `PostgreSQL cannot be reached with ${urlSource}: ${describeReason(error) ?? error}. Check host, port, database, user, password and pg_hba.conf.`,
    )
  }
}
