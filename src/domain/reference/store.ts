import { eq, getTableName } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { aircraft, airlines, airports } from '../../db/tables/index.ts'
import { caseless } from '../../lib/text.ts'
import type { Aircraft, AircraftWrite, Airline, AirlineWrite, Airport, AirportWrite } from './contract.ts'
import { ownRows } from './own-rows.ts'

type Table = typeof airports | typeof airlines | typeof aircraft

interface Kind<Write> {
  table: Table
  /** The type of custom fields whose values are ids of this kind. */
  fieldType: string
  /** The members of the record but `custom`, in their order. */
  columns: string
  /** The columns of flights that point here. */
  flightColumns: string[]
  toRow: (write: Write) => Record<string, unknown>
  /** Only one row may have these values. */
  uniqueKey: { condition: string; values: (write: Write) => unknown[] }
}

const named = <Write extends { name: string }>(write: Write) => ({ ...write, nameKey: caseless(write.name) })

const byNameAndCode = {
  condition: 'name_key = ? and icao is ?',
  values: ({ name, icao }: { name: string; icao: string | null }) => [caseless(name), icao],
}

function rowStore<Row extends { id: number; custom: boolean }, Write>(db: Db, kind: Kind<Write>) {
  const { table, fieldType, columns, flightColumns, toRow, uniqueKey } = kind
  const client = db.$client
  const name = getTableName(table)
  const byId = client.prepare(`select ${columns}, source_id is null as custom from ${name} where id = ?`)
  const byUniqueKey = client.prepare(`select id from ${name} where ${uniqueKey.condition}`).pluck()
  const aValue = (values: string) => `exists (
    select 1 from ${values} v join custom_fields f on f.id = v.field_id
    where f.field_type = '${fieldType}' and v.value = @text)`
  const used = client
    .prepare(
      `select ${flightColumns.map((column) => `exists (select 1 from flights where ${column} = @id)`).join(' or ')}
        or ${aValue('flight_values')} or ${aValue('passenger_values')}
        or exists (select 1 from custom_fields where field_type = '${fieldType}' and default_value = @text)`,
    )
    .pluck()

  const own = ownRows<Row>(db, kind)
  const source = client.prepare(`select source_id from ${name} where id = ?`).pluck()

  return {
    own,
    /** The row's id in the shipped data; null for rows made on this instance. */
    sourceId: (id: number) => source.get(id) as string | null,
    find(id: number): Row | undefined {
      const row = byId.get(id) as Row | undefined
      // SQLite has no booleans.
      if (row) row.custom = Boolean(row.custom)
      return row
    },
    insert: (write: Write): number =>
      db
        .insert(table)
        .values(toRow(write) as never)
        .returning({ id: table.id })
        .get()!.id,
    update: (id: number, write: Write) =>
      db
        .update(table)
        .set(toRow(write) as never)
        .where(eq(table.id, id))
        .run(),
    delete: (id: number) => db.delete(table).where(eq(table.id, id)).run(),
    /** A row that a flight or a custom value points at cannot be deleted. */
    isUsed: (id: number) => used.get({ id, text: String(id) }) === 1,
    /** The id of the row that has the unique key of this one already. */
    conflictingId: (write: Write) => byUniqueKey.get(...uniqueKey.values(write)) as number | undefined,
  }
}

export type RowStore<Row extends { id: number; custom: boolean }, Write> = ReturnType<typeof rowStore<Row, Write>>

export function referenceStore(db: Db) {
  return {
    airports: rowStore<Airport, AirportWrite>(db, {
      table: airports,
      fieldType: 'airport',
      columns: 'id, icao, iata, name, municipality, latitude, longitude, timezone, type, continent, country',
      flightColumns: ['from_id', 'to_id'],
      toRow: (write) => write,
      uniqueKey: { condition: 'icao = ?', values: ({ icao }) => [icao] },
    }),
    airlines: rowStore<Airline, AirlineWrite>(db, {
      table: airlines,
      fieldType: 'airline',
      columns: 'id, name, icao, iata, null as iconPath',
      flightColumns: ['airline_id'],
      toRow: named,
      uniqueKey: byNameAndCode,
    }),
    aircraft: rowStore<Aircraft, AircraftWrite>(db, {
      table: aircraft,
      fieldType: 'aircraft',
      columns: 'id, name, icao',
      flightColumns: ['aircraft_id'],
      toRow: named,
      uniqueKey: byNameAndCode,
    }),
  }
}
