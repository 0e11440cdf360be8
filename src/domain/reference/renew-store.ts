import { getTableColumns, getTableName } from 'drizzle-orm'
import { insertRows } from '../../db/insert-rows.ts'
import type { Db } from '../../db/open.ts'
import { aircraft, airlines, airports } from '../../db/tables/index.ts'
import type { ReferenceKind } from './kinds.ts'

export type Value = string | number | null

export type ShippedRow = Record<string, Value> & { sourceId: string }

/** Custom rows have no source id. */
export type StoredRow = Record<string, Value> & { id: number; sourceId: string | null }

/** The columns of `identity` are unique together. */
const tables = {
  airports: { table: airports, identity: ['icao'] },
  airlines: { table: airlines, identity: ['nameKey', 'icao'] },
  aircraft: { table: aircraft, identity: ['nameKey', 'icao'] },
} as const

export type ShippedRowStore = ReturnType<typeof shippedRowStore>

export function shippedRowStore(db: Db, kind: ReferenceKind) {
  const { table, identity } = tables[kind]
  const columns = getTableColumns<typeof airports | typeof airlines | typeof aircraft>(table)
  const names = Object.keys(columns).filter((name) => name !== 'id')
  const sqlName = (name: string) => columns[name as keyof typeof columns].name
  const tableName = getTableName(table)
  const [key, source] = [sqlName(identity[0]), sqlName('sourceId')]
  const prepare = (text: string) => db.$client.prepare(text)
  const readBy = (column: string) => {
    const selected = ['id', ...names].map((name) => `${sqlName(name)} as "${name}"`).join(', ')
    const read = prepare(
      `select ${selected} from ${tableName} where ${column} in (select value from json_each(?, '$'))`,
    )
    return (values: readonly Value[]) => read.all(JSON.stringify(values)) as StoredRow[]
  }
  const update = prepare(
    `update ${tableName} set ${names.map((name) => `${sqlName(name)} = @${name}`).join(', ')} where id = @id`,
  )
  const insert = prepare(
    `insert into ${tableName} (${names.map(sqlName).join(', ')}) values (${names.map(() => '?').join(', ')})`,
  )
  const clearIdentity = prepare(`update ${tableName} set ${key} = ' ' || id where id = ?`)

  return {
    identity: identity as readonly string[],
    /** All members of a row but the id. */
    names,
    isEmpty: () => prepare(`select 1 from ${tableName} limit 1`).get() === undefined,
    readBySource: readBy(source),
    /** By the first column of the identity. */
    readByKey: readBy(key),
    shippedSources: () =>
      prepare(
        `select id, ${source} as "sourceId" from ${tableName} where ${source} is not null`,
      ).iterate() as Iterable<{ id: number; sourceId: string }>,
    update: (row: ShippedRow & { id: number }) => void update.run(row),
    insert: (row: ShippedRow) => void insert.run(names.map((name) => row[name] ?? null)),
    /** Returns the number of rows. */
    insertAll: (rows: Iterable<ShippedRow>) => insertRows(db, table, ['id'])(rows),
    /** Sets a value that no code or trimmed name can have. */
    clearIdentity: (id: number) => void clearIdentity.run(id),
  }
}
