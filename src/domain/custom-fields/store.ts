import { asc, eq, sql } from 'drizzle-orm'
import { dataCache } from '../../db/cache.ts'
import type { Db } from '../../db/open.ts'
import { customFields, flightValues, passengerValues } from '../../db/tables/index.ts'
import { isoInstant } from '../../lib/dates.ts'
import type { CustomField } from './contract.ts'

type Row = typeof customFields.$inferSelect

const toField = (row: Row): CustomField => ({
  ...row,
  fieldType: row.fieldType as CustomField['fieldType'],
  validation: row.validation as CustomField['validation'],
  defaultValue: row.defaultValue ?? null,
  createdAt: isoInstant(row.createdAt),
  updatedAt: isoInstant(row.updatedAt),
})

const { placeholder } = sql

export function customFieldStore(db: Db) {
  const ordered = db
    .select()
    .from(customFields)
    .orderBy(asc(customFields.entityType), asc(customFields.order), asc(customFields.label), asc(customFields.id))
    .prepare()
  const cache = dataCache<readonly CustomField[]>(db, {
    part: 'accounts',
    maxBytes: 4 * 1024 * 1024,
    sizeOf: (fields) => 2 * JSON.stringify(fields).length,
  })
  const valuesOf = [flightValues, passengerValues].map((values) =>
    db
      .select({ id: values.fieldId })
      .from(values)
      .where(eq(values.fieldId, placeholder('id')))
      .limit(placeholder('limit'))
      .prepare(),
  )
  const all = () => cache.read('all', () => ordered.all().map(toField))

  return {
    all,
    find: (id: number) => all().find((field) => field.id === id),
    insert: (row: typeof customFields.$inferInsert) =>
      db.insert(customFields).values(row).returning({ id: customFields.id }).get().id,
    update: (id: number, row: Partial<typeof customFields.$inferInsert>) =>
      db.update(customFields).set(row).where(eq(customFields.id, id)).run(),
    hasValues: (id: number, limit: number) => valuesOf.some((values) => values.all({ id, limit }).length === limit),
    /** Foreign keys delete its values. */
    delete: (id: number) => db.delete(customFields).where(eq(customFields.id, id)).run(),
  }
}
