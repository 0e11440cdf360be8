import { scopeNames } from '../../src/access/scopes.ts'
import { closeDatabase, type Db, openDatabase } from '../../src/db/open.ts'
import { postgresClient } from '../../src/db/postgres/client.ts'
import { digest, newApiKey } from '../../src/lib/secret.ts'
import { fillLarge, type LargeDatabase, type LargeUser } from '../support/large-database.ts'
import type { PostgresServer } from '../support/postgres.ts'

const DATABASE = 'bench'

/** The values of a column for filters, the most frequent ones first. */
const mostFrequent = (column: string, source = 'flights') =>
  `select ${column} from ${source} where ${column} is not null group by ${column} order by count(*) desc, ${column} limit 20`

const QUERIES = {
  airports: mostFrequent('from_id'),
  countries: mostFrequent('country', 'flights join airports on airports.id = from_id'),
  airlines: mostFrequent('airline_id'),
  types: mostFrequent('aircraft_id'),
  numbers: mostFrequent('flight_number'),
  registrations: mostFrequent('aircraft_reg'),
}

export interface PostgresWorld extends LargeDatabase {
  /** Users with logs of average length. */
  others: LargeUser[]
  /** The newest flights of the user with the longest log, and that user's trips. */
  frequentFlights: number[]
  frequentTrips: number[]
  filterValues: Record<keyof typeof QUERIES, (string | number)[]>
}

export const databaseUrl = (port: number) => `postgres://paxlog@127.0.0.1:${port}/${DATABASE}`

function insertKeys({ $client }: Db, excluded: readonly LargeUser[]): LargeUser[] {
  const ids = $client.prepare('select id from users order by id').pluck().all() as string[]
  const insert = $client.prepare(
    "insert into api_keys (user_id, name, hash, scopes, created_at) values (?, 'bench', ?, ?, 0)",
  )
  return ids
    .filter((id) => excluded.every((user) => user.id !== id))
    .map((id) => {
      const key = newApiKey()
      insert.run(id, digest(key), JSON.stringify(scopeNames))
      return { id, key }
    })
}

/** Creates and fills a database. */
export async function fillPostgres(
  { url, port }: PostgresServer,
  dataDir: string,
  size: { flights: number; users: number },
): Promise<PostgresWorld> {
  const administration = postgresClient(url('postgres'), { name: '' })
  administration.exec(`create database ${DATABASE}`)
  administration.close()
  const large = await fillLarge(databaseUrl(port), size)
  const db = openDatabase(dataDir, databaseUrl(port))
  // The measurements must not wait for the flush of the pages written so far.
  db.$client.exec('checkpoint')
  const values = (sql: string, ...parameters: string[]) =>
    db.$client
      .prepare(sql)
      .pluck()
      .all(...parameters)
  const { id } = large.frequent
  const flights = values('select flight_id from passengers where user_id = ? order by date desc limit 200', id)
  const world = {
    ...large,
    others: insertKeys(db, [large.owner, large.frequent]),
    frequentFlights: flights,
    frequentTrips: values('select id from trips where user_id = ? order by id limit 20', id),
    filterValues: Object.fromEntries(Object.entries(QUERIES).map(([name, sql]) => [name, values(sql)])),
  }
  closeDatabase(db)
  return world as PostgresWorld
}
