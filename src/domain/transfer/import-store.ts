import type { Db } from '../../db/open.ts'
import type { Target } from '../flights/target.ts'
import { naturalKey } from './natural-key.ts'

type Row = [
  date: string,
  datePrecision: string,
  fromId: number,
  toId: number,
  flightNumber: string | null,
  departure: string | null,
  users: string | null,
]

export function importStore(db: Db) {
  const columns = 'f.date, f.date_precision, f.from_id, f.to_id, f.flight_number, f.departure'
  const ofUser = db.$client
    .prepare(
      `select ${columns}, p.user_id from passengers p join flights f on f.id = p.flight_id where p.user_id = ? order by f.id`,
    )
    .raw()
  const ofAll = db.$client
    .prepare(
      `select ${columns}, (select group_concat(p.user_id, ' ') from passengers p where p.flight_id = f.id)
       from flights f order by f.id`,
    )
    .raw()
  const user = db.$client.prepare('select 1 from users where id = ?').pluck()
  const userNames = db.$client.prepare('select id, lower(username) from users').raw()

  return {
    /** The natural keys of the flights of the target, each with the users on it. */
    *keys(target: Target): Generator<[key: string, users: ReadonlySet<string>]> {
      const rows = target === 'all' ? ofAll.iterate() : ofUser.iterate(target.userId)
      for (const row of rows as IterableIterator<Row>) {
        const [date, datePrecision, fromId, toId, flightNumber, departure, users] = row
        const key = naturalKey({ date, datePrecision, fromId, toId, flightNumber, departure })
        yield [key, new Set(users?.split(' ') ?? [])]
      }
    },
    isUser: (id: string) => user.get(id) === 1,
    /** Ids of all users by their lower-case names. */
    usersByName: () => new Map((userNames.all() as [string, string][]).map(([id, name]) => [name, id])),
  }
}
