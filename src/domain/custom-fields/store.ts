import { asc, eq } from 'drizzle-orm'
import { changeMarks } from '../../db/changes.ts'
import type { Db } from '../../db/open.ts'
import { customFields } from '../../db/tables/index.ts'
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

export function customFieldStore(db: Db) {
  const marks = changeMarks(db)
  const ordered = db
    .select()
    .from(customFields)
    .orderBy(asc(customFields.entityType), asc(customFields.order), asc(customFields.label), asc(customFields.id))
    .prepare()
  let known: readonly CustomField[] = []
  let [mark, writtenMark] = ['', '']
  let generation = 0
  /** Written by a transaction that may still be undone: until it has ended, nothing that was read is kept. */
  let unfinished = false

  function written<Result>(result: Result): Result {
    generation++
    unfinished = db.$client.inTransaction
    return result
  }

  function read(): readonly CustomField[] {
    return ordered.all().map(toField)
  }

  function readAndKeep(): readonly CustomField[] {
    if (unfinished) written(undefined)
    known = read()
    mark = marks.besideFlights()
    writtenMark = `${generation}/${marks.foreign()}`
    return known
  }

  /**
   * Every flight that is read or written needs the definitions. They are read again after anything but a flight was
   * written; inside a transaction, where rows are written all the time, only after they themselves were.
   */
  function all(): readonly CustomField[] {
    if (!db.$client.inTransaction) return marks.besideFlights() === mark ? known : readAndKeep()
    if (unfinished) return read()
    return `${generation}/${marks.foreign()}` === writtenMark ? known : readAndKeep()
  }

  return {
    all,
    find: (id: number) => all().find((field) => field.id === id),
    insert: (row: typeof customFields.$inferInsert) =>
      written(db.insert(customFields).values(row).returning({ id: customFields.id }).get().id),
    update: (id: number, row: Partial<typeof customFields.$inferInsert>) =>
      written(db.update(customFields).set(row).where(eq(customFields.id, id)).run()),
    /** Its values go by the foreign keys. */
    delete: (id: number) => written(db.delete(customFields).where(eq(customFields.id, id)).run()),
  }
}
