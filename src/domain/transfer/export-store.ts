import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../db/open.ts'
import { jsonList, named, statements } from '../../db/statements.ts'
import { customFields, flightValues, passengers, passengerValues, users } from '../../db/tables/index.ts'
import type { CustomField } from '../custom-fields/contract.ts'

export interface ValueRow {
  ownerId: number
  key: string
  fieldType: CustomField['fieldType']
  value: unknown
}

const { placeholder } = sql
const ids = jsonList(placeholder('ids'))
const byOrder = [customFields.order, customFields.label, customFields.id] as const
const described = (ownerId: SQLiteColumn, value: SQLiteColumn) =>
  named({ ownerId, key: customFields.key, fieldType: customFields.fieldType, value })

export function exportStore(db: Db) {
  const { rows } = statements(db)
  const usersWhere = (condition: SQL) =>
    rows(
      db
        .select(named({ id: users.id, displayName: users.displayName, username: users.username }))
        .from(users)
        .where(condition),
    )
  const nameOf = usersWhere(eq(users.id, placeholder('id')))
  const usersOfFlights = usersWhere(
    inArray(users.id, db.select({ id: passengers.userId }).from(passengers).where(inArray(passengers.flightId, ids))),
  )
  const ofFlights = rows(
    db
      .select(described(flightValues.flightId, flightValues.value))
      .from(flightValues)
      .innerJoin(customFields, eq(customFields.id, flightValues.fieldId))
      .where(inArray(flightValues.flightId, ids))
      .orderBy(...byOrder),
  )
  const ofPassengers = rows(
    db
      .select(described(passengerValues.passengerId, passengerValues.value))
      .from(passengerValues)
      .innerJoin(customFields, eq(customFields.id, passengerValues.fieldId))
      .innerJoin(passengers, eq(passengers.id, passengerValues.passengerId))
      .where(inArray(passengers.flightId, ids))
      .orderBy(...byOrder),
  )

  const hasDefinitions = rows(
    db
      .select(named({ id: customFields.id }))
      .from(customFields)
      .limit(1),
  )

  return {
    hasValues: () => hasDefinitions.get() !== undefined,
    username: (id: string) => nameOf.get({ id })?.username,
    usersOf: (ids: readonly number[]) => usersOfFlights.all({ ids: JSON.stringify(ids) }),
    /** Every stored value, also of inactive definitions. */
    flightValues: (ids: readonly number[]) => ofFlights.all({ ids: JSON.stringify(ids) }) as ValueRow[],
    passengerValues: (ids: readonly number[]) => ofPassengers.all({ ids: JSON.stringify(ids) }) as ValueRow[],
  }
}
