import { StartupError } from '../../lib/startup-error.ts'
import type { Db } from '../connection.ts'
import { describeReason } from './errors.ts'
import { MIN_POSTGRES_VERSION, postgresSchemaState } from './migrate.ts'

/** Returns a message if the check passes, and throws a StartupError with advice otherwise. */
type Check = () => string

const RIGHTS = `
  select has_schema_privilege(current_schema(), 'create') as create, current_user as name, current_schema() as schema,
    (select count(*) from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
      and not pg_has_role(relowner, 'usage')) as foreign`

export function postgresChecks(db: Db): Record<string, Check> {
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
