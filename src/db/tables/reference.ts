import { sql } from 'drizzle-orm'
import { blob, check, index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'

/** Rows with a source id are shipped, others were created on this instance. */
export const airports = sqliteTable(
  'airports',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    sourceId: text('source_id'),
    icao: text().notNull(),
    iata: text(),
    name: text().notNull(),
    municipality: text(),
    latitude: real().notNull(),
    longitude: real().notNull(),
    timezone: text().notNull(),
    type: text().notNull(),
    continent: text().notNull(),
    country: text().notNull(),
    /** Days of existence, if known. */
    validFrom: text('valid_from'),
    validUntil: text('valid_until'),
  },
  (t) => [
    uniqueIndex('airports_source').on(t.sourceId),
    uniqueIndex('airports_icao').on(t.icao),
    index('airports_iata').on(t.iata),
    check('airports_coordinates', sql`latitude between -90 and 90 and longitude between -180 and 180`),
  ],
)

export const airlines = sqliteTable(
  'airlines',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    sourceId: text('source_id'),
    name: text().notNull(),
    /** SQLite ignores case only for ASCII. */
    nameKey: text('name_key').notNull(),
    icao: text(),
    iata: text(),
    validFrom: text('valid_from'),
    validUntil: text('valid_until'),
  },
  (t) => [
    uniqueIndex('airlines_source').on(t.sourceId),
    uniqueIndex('airlines_name_icao').on(t.nameKey, t.icao),
    uniqueIndex('airlines_name_alone').on(t.nameKey).where(sql`icao is null`),
    index('airlines_icao').on(t.icao),
    index('airlines_iata').on(t.iata),
  ],
)

export const aircraft = sqliteTable(
  'aircraft',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    sourceId: text('source_id'),
    name: text().notNull(),
    nameKey: text('name_key').notNull(),
    icao: text(),
  },
  (t) => [
    uniqueIndex('aircraft_source').on(t.sourceId),
    uniqueIndex('aircraft_name_icao').on(t.nameKey, t.icao),
    uniqueIndex('aircraft_name_alone').on(t.nameKey).where(sql`icao is null`),
    index('aircraft_icao').on(t.icao),
  ],
)

export const settings = sqliteTable('settings', {
  key: text().primaryKey(),
  value: text().notNull(),
})

/** Routes of a range of flight numbers as gzipped TSV, see `routes-store.ts`. */
export const routeBlocks = sqliteTable(
  'route_blocks',
  {
    airline: text().notNull(),
    firstNumber: integer('first_number').notNull(),
    packed: blob({ mode: 'buffer' }).notNull(),
  },
  (t) => [primaryKey({ columns: [t.airline, t.firstNumber] })],
)
