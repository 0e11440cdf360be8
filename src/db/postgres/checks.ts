import { Refusal } from '../../lib/refusal.ts'
import type { Db } from '../connection.ts'
import { databaseReason } from './fault.ts'
import { oldestPostgres, postgresSchemaState } from './migrate.ts'

/** Says what is well; throws a Refusal that says what is not, and what to do. */
type Check = () => string

const RIGHTS = `
  select has_schema_privilege(current_schema(), 'create') as create, current_user as name, current_schema() as schema,
    (select count(*) from pg_class where relnamespace = current_schema()::regnamespace and relkind = 'r'
      and not pg_has_role(relowner, 'usage')) as foreign`

const SETTING = 'select current_setting(?)'

/** What `paxlog doctor` looks at in PostgreSQL; nothing is changed. */
export function postgresChecks(db: Db): Record<string, Check> {
  const client = db.$client
  const setting = (name: string) => client.prepare(SETTING).pluck().get(name) as string
  return {
    version: () => {
      if (Number(setting('server_version_num')) >= oldestPostgres) return `PostgreSQL ${setting('server_version')}.`
      throw new Refusal(`PostgreSQL ${setting('server_version')} is too old: upgrade it to 15 or newer.`)
    },
    encoding: () => {
      const encoding = setting('server_encoding')
      if (encoding === 'UTF8') return 'Texts are kept as UTF-8.'
      throw new Refusal(
        `The database has the encoding ${encoding}: create another one with "createdb --encoding=UTF8 --template=template0".`,
      )
    },
    isolation: () => {
      const found = client.transaction(() => setting('transaction_isolation')).immediate()
      if (found === 'serializable') return 'Transactions are serializable.'
      throw new Refusal(`Transactions are ${found}: connect to PostgreSQL itself, or to a pool in session mode.`)
    },
    'writing server': () => {
      if (setting('transaction_read_only') === 'off') return 'It takes writes.'
      throw new Refusal('It only reads: set default_transaction_read_only to off for this user and this database.')
    },
    rights: () => {
      const found = client.prepare(RIGHTS).get() as { create: number; name: string; schema: string; foreign: number }
      const { name, schema } = found
      if (!found.create)
        throw new Refusal(
          `${name} may create no tables, so migrations fail: "grant create on schema ${schema} to ${name}".`,
        )
      if (found.foreign > 0)
        throw new Refusal(
          `${found.foreign} tables belong to somebody else, so migrations fail: "reassign owned by OTHER to ${name}".`,
        )
      return `${name} owns the tables and may create others.`
    },
    durability: () => {
      const off = ['fsync', 'full_page_writes', 'synchronous_commit'].filter((name) => setting(name) === 'off')
      if (off.length === 0) return 'A commit is on the disk before it is answered.'
      throw new Refusal(`${off.join(' and ')} off: what was acknowledged can be lost. Turn on what is off.`)
    },
    schema: () => {
      const { newer, pending, applied } = postgresSchemaState(db)
      if (newer) throw new Refusal('The database was written by a newer Paxlog: start that version.')
      if (applied === 0) throw new Refusal('The database is empty: "paxlog serve" makes its tables.')
      if (pending.length > 0)
        throw new Refusal(`The schema is ${pending.length} migration(s) behind: "paxlog serve" applies them.`)
      return `The schema is current, with ${applied} migration(s).`
    },
  }
}

/** Whether anybody answers at all; says which setting or option is to be looked at. */
export function requireReachable({ $client }: Db, given: string): void {
  try {
    $client.prepare('select 1').get()
  } catch (error) {
    throw new Refusal(
      `PostgreSQL cannot be reached with ${given}: ${databaseReason(error) ?? error}. Look at host, port, name, user and password, and at pg_hba.conf.`,
    )
  }
}
