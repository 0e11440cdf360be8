import type { Db } from '../../db/open.ts'
import type { Merged } from '../custom-fields/values.ts'

type Row = [ownerId: number, fieldId: number, value: string]

/** Custom values of flights and of passengers: two tables of one shape. */
function valueStore(db: Db, table: 'flight_values' | 'passenger_values', owner: string, ofFlight: string) {
  const client = db.$client
  const stored = client.prepare(`select ${owner}, field_id, value from ${table} where ${owner} in (${ofFlight})`).raw()
  const set = client.prepare(
    `insert into ${table} (${owner}, field_id, value) values (?, ?, ?)
     on conflict do update set value = excluded.value`,
  )
  const remove = client.prepare(`delete from ${table} where ${owner} = ? and field_id = ?`)

  return {
    /** Every stored value of a flight, by owner and definition. */
    ofFlight(flightId: number): Map<number, Map<number, unknown>> {
      const found = new Map<number, Map<number, unknown>>()
      for (const [id, fieldId, value] of stored.all(flightId) as Row[]) {
        const values = found.get(id) ?? new Map<number, unknown>()
        found.set(id, values.set(fieldId, JSON.parse(value)))
      }
      return found
    },
    apply(ownerId: number, merged: Pick<Merged, 'set' | 'remove'>): void {
      for (const [fieldId, value] of merged.set) set.run(ownerId, fieldId, JSON.stringify(value))
      for (const fieldId of merged.remove) remove.run(ownerId, fieldId)
    },
  }
}

export const flightValueStore = (db: Db) => valueStore(db, 'flight_values', 'flight_id', '?')

export const passengerValueStore = (db: Db) =>
  valueStore(db, 'passenger_values', 'passenger_id', 'select id from passengers where flight_id = ?')
