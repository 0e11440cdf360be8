import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/open.ts'
import { excluded, named, statements } from '../../../db/statements.ts'
import { flightValues, passengers, passengerValues } from '../../../db/tables/index.ts'
import type { Merged } from '../../custom-fields/values.ts'

interface ValueStatements {
  ofFlight: { all: (values: { flightId: number }) => { ownerId: number; fieldId: number; value: unknown }[] }
  set: { run: (values: { ownerId: number; fieldId: number; value: unknown }) => unknown }
  remove: { run: (values: { ownerId: number; fieldId: number }) => unknown }
}

const { placeholder } = sql
const fieldId = placeholder('fieldId')
const ownerId = placeholder('ownerId')
const value = placeholder('value')

const valueStore = ({ ofFlight, set, remove }: ValueStatements) => ({
  /** By owner and definition. */
  ofFlight(flightId: number): Map<number, Map<number, unknown>> {
    const found = new Map<number, Map<number, unknown>>()
    for (const { ownerId, fieldId, value } of ofFlight.all({ flightId })) {
      const values = found.get(ownerId) ?? new Map<number, unknown>()
      found.set(ownerId, values.set(fieldId, value))
    }
    return found
  },
  apply(ownerId: number, merged: Pick<Merged, 'set' | 'remove'>): void {
    for (const [fieldId, value] of merged.set) set.run({ ownerId, fieldId, value })
    for (const fieldId of merged.remove) remove.run({ ownerId, fieldId })
  },
})

export function flightValueStore(db: Db) {
  const { rows, write } = statements(db)
  const values = flightValues
  return valueStore({
    ofFlight: rows(
      db
        .select(named({ ownerId: values.flightId, fieldId: values.fieldId, value: values.value }))
        .from(values)
        .where(eq(values.flightId, placeholder('flightId'))),
    ),
    set: write(
      db
        .insert(values)
        .values({ flightId: ownerId, fieldId, value })
        .onConflictDoUpdate({ target: [values.flightId, values.fieldId], set: excluded(values, 'value') }),
    ),
    remove: write(db.delete(values).where(and(eq(values.flightId, ownerId), eq(values.fieldId, fieldId)))),
  })
}

export function passengerValueStore(db: Db) {
  const { rows, write } = statements(db)
  const values = passengerValues
  return valueStore({
    ofFlight: rows(
      db
        .select(named({ ownerId: values.passengerId, fieldId: values.fieldId, value: values.value }))
        .from(values)
        .innerJoin(passengers, eq(passengers.id, values.passengerId))
        .where(eq(passengers.flightId, placeholder('flightId'))),
    ),
    set: write(
      db
        .insert(values)
        .values({ passengerId: ownerId, fieldId, value })
        .onConflictDoUpdate({ target: [values.passengerId, values.fieldId], set: excluded(values, 'value') }),
    ),
    remove: write(db.delete(values).where(and(eq(values.passengerId, ownerId), eq(values.fieldId, fieldId)))),
  })
}
