import { sql } from 'drizzle-orm'
import { check, index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { flights, passengers } from './flights.ts'

export const customFields = sqliteTable(
  'custom_fields',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    entityType: text('entity_type', { enum: ['flight', 'flight_passenger'] }).notNull(),
    key: text().notNull(),
    label: text().notNull(),
    description: text(),
    fieldType: text('field_type').notNull(),
    required: integer({ mode: 'boolean' }).notNull(),
    order: integer('sort_order').notNull(),
    defaultValue: text('default_value', { mode: 'json' }).$type<unknown>(),
    options: text({ mode: 'json' }).$type<string[]>(),
    active: integer({ mode: 'boolean' }).notNull(),
    validation: text({ mode: 'json' }).$type<Record<string, unknown>>(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [
    uniqueIndex('custom_fields_key').on(t.entityType, t.key),
    check('custom_fields_entity', sql`entity_type in ('flight', 'flight_passenger')`),
  ],
)

export const flightValues = sqliteTable(
  'flight_values',
  {
    flightId: integer('flight_id')
      .notNull()
      .references(() => flights.id, { onDelete: 'cascade' }),
    fieldId: integer('field_id')
      .notNull()
      .references(() => customFields.id, { onDelete: 'cascade' }),
    value: text({ mode: 'json' }).$type<unknown>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.flightId, t.fieldId] }), index('flight_values_field').on(t.fieldId)],
)

export const passengerValues = sqliteTable(
  'passenger_values',
  {
    passengerId: integer('passenger_id')
      .notNull()
      .references(() => passengers.id, { onDelete: 'cascade' }),
    fieldId: integer('field_id')
      .notNull()
      .references(() => customFields.id, { onDelete: 'cascade' }),
    value: text({ mode: 'json' }).$type<unknown>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.passengerId, t.fieldId] }), index('passenger_values_field').on(t.fieldId)],
)
