import { getTableName } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import type { aircraft, airlines, airports } from '../../db/tables/index.ts'

/** Where flights and custom values point at rows of one kind. */
interface Pointers {
  table: typeof airports | typeof airlines | typeof aircraft
  /** The type of custom fields whose values are ids of this kind. */
  fieldType: string
  /** The members of the record but `custom`, in their order. */
  columns: string
  /** The columns of flights that point here. */
  flightColumns: readonly string[]
}

export interface ListPart {
  limit: number
  offset: number
}

/** Rows that were made on this instance, for whoever looks after them. */
export function ownRows<Row extends { id: number; custom: boolean }>(db: Db, pointers: Pointers) {
  const { table, fieldType, columns, flightColumns } = pointers
  const client = db.$client
  const name = getTableName(table)
  const [first = '', second] = flightColumns
  const both =
    second === undefined ? '' : ` + (select count(*) from flights where ${second} = t.id and ${first} <> t.id)`
  const list = client.prepare(
    `select ${columns}, (select count(*) from flights where ${first} = t.id)${both} as flights
     from ${name} t where source_id is null order by name, id limit @limit offset @offset`,
  )
  const count = client.prepare(`select count(*) from ${name} where source_id is null`).pluck()
  const ofType = `field_id in (select id from custom_fields where field_type = '${fieldType}') and value = @text`
  const pointing = client
    .prepare(
      `select id from flights where ${flightColumns.map((column) => `${column} = @id`).join(' or ')}
       union select flight_id from flight_values where ${ofType}
       union select p.flight_id from passenger_values v join passengers p on p.id = v.passenger_id
         where v.${ofType.replace(' and value', ' and v.value')}`,
    )
    .pluck()
  const moves = [
    ...flightColumns.map((column) => `update flights set ${column} = @into where ${column} = @id`),
    `update flight_values set value = @intoText where ${ofType}`,
    `update passenger_values set value = @intoText where ${ofType}`,
    `update custom_fields set default_value = @intoText where field_type = '${fieldType}' and default_value = @text`,
  ].map((text) => client.prepare(text))

  return {
    /** By name, each with the number of its flights. */
    list: (part: ListPart) =>
      (list.all(part) as (Row & { flights: number })[]).map((row) => ({ ...row, custom: true })),
    count: () => count.get() as number,
    /** Lets everything that points at one row point at another, and returns the flights that are others by it. */
    repoint(id: number, into: number): number[] {
      const flights = pointing.all({ id, text: String(id) }) as number[]
      for (const move of moves) move.run({ id, into, text: String(id), intoText: String(into) })
      return flights
    },
  }
}
