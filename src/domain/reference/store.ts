import { and, asc, count, eq, getTableName, inArray, isNull, ne, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../db/open.ts'
import { jsonList, named, statements } from '../../db/statements.ts'
import {
  aircraft,
  airlines,
  airports,
  customFields,
  deletedFlightRecords,
  deletedFlights,
  flights,
  flightValues,
  passengers,
  passengerValues,
} from '../../db/tables/index.ts'
import { foldCase } from '../../lib/text.ts'
import type { Aircraft, AircraftWrite, Airline, AirlineWrite, Airport, AirportWrite } from './contract.ts'
import type { ReferenceKind } from './kinds.ts'
import { NO_VALIDITY, type Validity } from './validity.ts'

type Table = typeof airports | typeof airlines | typeof aircraft

interface Kind<Write> {
  table: Table
  /** The type of custom fields whose values are ids of these rows. */
  fieldType: string
  /** The members of a record except `custom`, in order. */
  columns: Record<string, SQLiteColumn | SQL>
  validity: Record<keyof Validity, SQLiteColumn | SQL<string | null>>
  flightColumns: readonly ('fromId' | 'toId' | 'airlineId' | 'aircraftId')[]
  toRow: (write: Write) => Record<string, unknown>
  /** With the values of `toRow` as placeholders. */
  uniqueKey: SQL | undefined
}

export interface ListPart {
  limit: number
  offset: number
}

const { placeholder } = sql

const withNameKey = <Write extends { name: string }>(write: Write) => ({ ...write, nameKey: foldCase(write.name) })

const byNameAndCode = ({ nameKey, icao }: typeof airlines | typeof aircraft) =>
  and(eq(nameKey, placeholder('nameKey')), sql`${icao} is ${placeholder('icao')}`)

/** References to rows of one kind: flights, custom values and the defaults of custom fields. */
function pointers(db: Db, { fieldType, flightColumns }: Pick<Kind<never>, 'fieldType' | 'flightColumns'>) {
  const { values, write } = statements(db)
  // Custom values are JSON, so ids in them are texts.
  const [id, text, into, intoText] = [
    placeholder('id'),
    placeholder('text'),
    sql`${placeholder('into')}`,
    sql`${placeholder('intoText')}`,
  ]
  const fields = db.select({ id: customFields.id }).from(customFields).where(eq(customFields.fieldType, fieldType))
  const points = ({ fieldId, value }: typeof flightValues | typeof passengerValues) =>
    and(inArray(fieldId, fields), eq(value, text))
  const isDefault = and(eq(customFields.fieldType, fieldType), eq(customFields.defaultValue, text))

  const pointing = [
    ...flightColumns.map((column) => db.select({ id: flights.id }).from(flights).where(eq(flights[column], id))),
    db.select({ id: flightValues.flightId }).from(flightValues).where(points(flightValues)),
    db
      .select({ id: passengers.flightId })
      .from(passengerValues)
      .innerJoin(passengers, eq(passengers.id, passengerValues.passengerId))
      .where(points(passengerValues)),
  ].map((query) => values(query.limit(placeholder('limit'))))
  const defaults = values(db.select({ id: customFields.id }).from(customFields).where(isDefault))
  const moves = [
    ...flightColumns.map((column) =>
      db
        .update(flights)
        .set({ [column]: into })
        .where(eq(flights[column], id)),
    ),
    ...flightColumns.map((column) =>
      db
        .update(deletedFlights)
        .set({ [column]: into })
        .where(eq(deletedFlights[column], id)),
    ),
    db.update(flightValues).set({ value: intoText }).where(points(flightValues)),
    db.update(passengerValues).set({ value: intoText }).where(points(passengerValues)),
    db.update(customFields).set({ defaultValue: intoText }).where(isDefault),
  ].map((query) => write(query))

  /** Whether at least `limit` flights or custom values refer to a row. */
  const isPointedAt = (id: number, limit: number): boolean =>
    pointing.some((statement) => statement.all({ id, text: String(id), limit }).length === limit)

  return {
    isUsed: (id: number): boolean => isPointedAt(id, 1) || defaults.get({ text: String(id) }) !== undefined,
    isPointedAt,
    /** Moves all references to another row, and returns the ids of the changed flights. */
    repoint(id: number, into: number): number[] {
      const row = { id, text: String(id), limit: Number.MAX_SAFE_INTEGER }
      const changed = new Set(pointing.flatMap((statement) => statement.all(row)))
      for (const move of moves) move.run({ ...row, into, intoText: String(into) })
      return [...changed]
    },
  }
}

function rowStore<Row extends { id: number; custom: boolean }, Write>(db: Db, kind: Kind<Write>) {
  const { table, columns, validity, flightColumns, toRow, uniqueKey } = kind
  const { rows, values } = statements(db)
  const isOwn = isNull(table.sourceId)
  const withId = eq(table.id, placeholder('id'))

  const records = () => db.select(named({ ...columns, ...validity, sourceId: table.sourceId })).from(table)
  const record = rows(records().where(withId))
  const many = rows(records().where(inArray(table.id, jsonList(placeholder('ids')))))
  const source = values(db.select({ sourceId: table.sourceId }).from(table).where(withId))
  const byUniqueKey = values(db.select({ id: table.id }).from(table).where(uniqueKey))
  const [first, second] = flightColumns.map((name) => flights[name])
  const flightsWith = (condition: SQL | undefined) => db.select({ flights: count() }).from(flights).where(condition)
  const both = second
    ? sql`(${flightsWith(eq(first!, table.id))}) + (${flightsWith(and(eq(second, table.id), ne(first!, table.id)))})`
    : sql`(${flightsWith(eq(first!, table.id))})`
  const own = rows(
    db
      .select(named({ ...columns, flights: both }))
      .from(table)
      .where(isOwn)
      .orderBy(asc(table.name), asc(table.id))
      .limit(placeholder('limit'))
      .offset(placeholder('offset')),
  )
  const ownCount = values(db.select({ count: count() }).from(table).where(isOwn))
  /** Not part of a record in a flight. */
  const hidden = new WeakMap<Row, Validity & { sourceId: string | null }>()

  function toRecord(stored: unknown): Row {
    const { sourceId, validFrom, validUntil, ...row } = stored as Validity & { sourceId: string | null }
    const record = { ...row, custom: sourceId === null } as unknown as Row
    hidden.set(record, { sourceId, validFrom, validUntil })
    return record
  }

  /** Deleted flights refer to the row but do not prevent its deletion (contract 17.4). */
  function keepForDeletedFlights(id: number): void {
    const refersToRow = or(...flightColumns.map((column) => eq(deletedFlights[column], id)))
    if (!db.select({ seq: deletedFlights.seq }).from(deletedFlights).where(refersToRow).limit(1).get()) return
    const found = record.get({ id })
    if (!found) return
    const kind = getTableName(table) as ReferenceKind
    db.insert(deletedFlightRecords)
      .values({ kind, id, record: toRecord(found) })
      .onConflictDoNothing()
      .run()
  }

  return {
    ...pointers(db, kind),
    /** Null for custom rows. */
    sourceId: (record: Row) => {
      const known = hidden.get(record)
      return known === undefined ? (source.get({ id: record.id }) as string | null) : known.sourceId
    },
    /** Of a record of this store. */
    validity(record: Row): Validity {
      const { validFrom, validUntil } = hidden.get(record)!
      return { validFrom, validUntil }
    },
    find(id: number): Row | undefined {
      const row = record.get({ id })
      return row && toRecord(row)
    },
    findAll: (ids: readonly number[]): Row[] => {
      const found = ids.length === 1 ? record.all({ id: ids[0] }) : many.all({ ids: JSON.stringify(ids) })
      return found.map(toRecord)
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
    delete(id: number): void {
      keepForDeletedFlights(id)
      db.delete(table).where(eq(table.id, id)).run()
    },
    conflictingId: (write: Write) => byUniqueKey.get(toRow(write)),
    /** Custom rows by name, with their number of flights. */
    own: (part: ListPart) =>
      (own.all({ ...part }) as unknown as (Row & { flights: number })[]).map((row) => ({ ...row, custom: true })),
    countOwn: () => ownCount.get()!,
  }
}

export type RowStore<Row extends { id: number; custom: boolean }, Write> = ReturnType<typeof rowStore<Row, Write>>

export function referenceStore(db: Db) {
  const { id, icao, iata, name, municipality, latitude, longitude, timezone, type, continent, country } = airports
  const nothing = sql<null>`null`
  return {
    airports: rowStore<Airport, AirportWrite>(db, {
      table: airports,
      fieldType: 'airport',
      columns: { id, icao, iata, name, municipality, latitude, longitude, timezone, type, continent, country },
      validity: { validFrom: airports.validFrom, validUntil: airports.validUntil },
      flightColumns: ['fromId', 'toId'],
      toRow: (write) => ({ ...NO_VALIDITY, ...write }),
      uniqueKey: eq(icao, placeholder('icao')),
    }),
    airlines: rowStore<Airline, AirlineWrite>(db, {
      table: airlines,
      fieldType: 'airline',
      columns: {
        id: airlines.id,
        name: airlines.name,
        icao: airlines.icao,
        iata: airlines.iata,
        iconPath: nothing,
      },
      validity: { validFrom: airlines.validFrom, validUntil: airlines.validUntil },
      flightColumns: ['airlineId'],
      toRow: (write) => ({ ...NO_VALIDITY, ...withNameKey(write) }),
      uniqueKey: byNameAndCode(airlines),
    }),
    aircraft: rowStore<Aircraft, AircraftWrite>(db, {
      table: aircraft,
      fieldType: 'aircraft',
      columns: { id: aircraft.id, name: aircraft.name, icao: aircraft.icao },
      validity: { validFrom: nothing, validUntil: nothing },
      flightColumns: ['aircraftId'],
      toRow: withNameKey,
      uniqueKey: byNameAndCode(aircraft),
    }),
  }
}
