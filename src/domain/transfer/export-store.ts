import type { Db } from '../../db/open.ts'
import type { CustomField } from '../custom-fields/contract.ts'
import type { Target } from '../flights/target.ts'

export interface ValueRow {
  ownerId: number
  key: string
  fieldType: CustomField['fieldType']
  value: string
}

export function exportStore(db: Db) {
  const client = db.$client
  const user = 'select u.id, u.display_name as displayName, u.username from users u where u.id in'
  const byName = 'order by u.username collate nocase'
  const usersOfAll = client.prepare(`${user} (select user_id from passengers) ${byName}`)
  const usersOfUser = client.prepare(
    `${user} (select c.user_id from passengers p join passengers c on c.flight_id = p.flight_id where p.user_id = ?) ${byName}`,
  )
  const values = (table: string, owner: string, owners: string) =>
    client.prepare(
      `select v.${owner} as ownerId, f.key, f.field_type as fieldType, v.value
       from ${table} v join custom_fields f on f.id = v.field_id where v.${owner} in ${owners}
       order by f.sort_order, f.label, f.id`,
    )
  const ofFlights = values('flight_values', 'flight_id', '(select value from json_each(?))')
  const ofPassengers = values(
    'passenger_values',
    'passenger_id',
    '(select id from passengers where flight_id in (select value from json_each(?)))',
  )

  type User = { id: string; displayName: string; username: string }
  return {
    /** The users on the flights of the target, by user name. */
    users: (target: Target) => (target === 'all' ? usersOfAll.all() : usersOfUser.all(target.userId)) as User[],
    /** Every stored value, also of inactive definitions. */
    flightValues: (ids: readonly number[]) => ofFlights.all(JSON.stringify(ids)) as ValueRow[],
    passengerValues: (ids: readonly number[]) => ofPassengers.all(JSON.stringify(ids)) as ValueRow[],
  }
}
