import type { Db } from './connection.ts'
import { postgresOf } from './postgres/open.ts'

/** The highest id that each table has ever given away: one of a deleted row must not come back as another's. */
type Ids = Map<string, number>

const TRIGGERED =
  'select distinct event_object_table from information_schema.triggers where trigger_schema = current_schema()'

/** Triggers note what people change; a copy brings those notes itself. */
export function withoutTriggers(db: Db, work: () => void): void {
  const { $client: client } = db
  if (postgresOf(db)) {
    const names = client.prepare(TRIGGERED).pluck().all() as string[]
    for (const name of names) client.exec(`alter table "${name}" disable trigger user`)
    work()
    for (const name of names) client.exec(`alter table "${name}" enable trigger user`)
    return
  }
  const triggers = client.prepare("select name, sql from sqlite_master where type = 'trigger'").all()
  const list = triggers as { name: string; sql: string }[]
  for (const { name } of list) client.exec(`drop trigger "${name}"`)
  work()
  for (const { sql } of list) client.exec(sql)
}

const IDENTITIES = `select table_name, column_name from information_schema.columns
  where table_schema = current_schema() and is_identity = 'YES'`

function identitiesOf({ $client }: Db) {
  const rows = $client.prepare(IDENTITIES).raw().all() as [table: string, column: string][]
  const sequence = $client.prepare('select pg_get_serial_sequence(?, ?)').pluck()
  return rows.map(([table, column]) => ({ table, column, sequence: sequence.get(`"${table}"`, column) as string }))
}

export function highestIds(db: Db): Ids {
  const { $client: client } = db
  if (!postgresOf(db))
    return new Map(client.prepare('select name, seq from sqlite_sequence').raw().all() as [string, number][])
  return new Map(
    identitiesOf(db).flatMap(({ table, sequence }) => {
      const last = client.prepare(`select last_value from ${sequence} where is_called`).pluck().get()
      return last === undefined ? [] : [[table, last as number] as const]
    }),
  )
}

/** From now on new rows get higher ids than all before, also than those that are gone. */
export function raiseIds(db: Db, ids: Ids): void {
  const { $client: client } = db
  if (postgresOf(db)) {
    for (const { table, column, sequence } of identitiesOf(db)) {
      const highest = client.prepare(`select coalesce(max("${column}"), 0) from "${table}"`).pluck().get() as number
      const last = Math.max(highest, ids.get(table) ?? 0)
      if (last > 0) client.prepare('select setval(?::regclass, ?)').get(sequence, last)
    }
    return
  }
  const raise = client.prepare('update sqlite_sequence set seq = ? where name = ? and seq < ?')
  const add = client.prepare(
    'insert into sqlite_sequence (name, seq) select ?, ? where not exists (select 1 from sqlite_sequence where name = ?)',
  )
  const counted = new Set(
    client.prepare("select name from sqlite_master where type = 'table' and sql like '%autoincrement%'").pluck().all(),
  )
  for (const [table, last] of ids) {
    if (!counted.has(table)) continue
    raise.run(last, table, last)
    add.run(table, last, table)
  }
}
