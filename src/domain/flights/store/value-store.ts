import type { Db } from '../../../db/open.ts'
import type { Merged } from '../../custom-fields/values.ts'

/** The custom values of flights or of passengers. As text, because Drizzle has no type for one of two tables. */
function valueStore({ $client }: Db, table: string, owner: string, ofFlight: string) {
  const find = $client.prepare(`select v.${owner}, v.field_id, v.value from ${table} v ${ofFlight}`).raw()
  const set = $client.prepare(
    `insert into ${table} (${owner}, field_id, value) values (?, ?, ?)
     on conflict (${owner}, field_id) do update set value = excluded.value`,
  )
  const remove = $client.prepare(`delete from ${table} where ${owner} = ? and field_id = ?`)

  return {
    ofFlight(flightId: number): Map<number, Map<number, unknown>> {
      const found = new Map<number, Map<number, unknown>>()
      for (const [ownerId, fieldId, value] of find.all(flightId) as [number, number, string][]) {
        const values = found.get(ownerId) ?? new Map<number, unknown>()
        found.set(ownerId, values.set(fieldId, JSON.parse(value)))
      }
      return found
    },
    apply(ownerId: number, merged: Pick<Merged, 'set' | 'remove'>): void {
      for (const [fieldId, value] of merged.set) set.run(ownerId, fieldId, JSON.stringify(value))
      for (const fieldId of merged.remove) remove.run(ownerId, fieldId)
    },
  }
}

export const flightValueStore = (db: Db) => valueStore(db, 'flight_values', 'flight_id', 'where v.flight_id = ?')

export const passengerValueStore = (db: Db) =>
  valueStore(db, 'passenger_values', 'passenger_id', 'join passengers p on p.id = v.passenger_id where p.flight_id = ?')
