import { drizzle } from 'drizzle-orm/better-sqlite3'
import type { Db } from '../connection.ts'
import { databasePath } from '../directory.ts'
import { type PostgresEngine, postgresClient } from './client.ts'

export const postgresOf = ({ $client }: Pick<Db, '$client'>): PostgresEngine | undefined =>
  'kind' in $client ? ($client as PostgresEngine) : undefined

/** Drizzle's SQLite builder uses no more of the driver than `Engine` has. */
export function connectPostgres(url: string, dataDir: string): Db {
  const client = postgresClient(url, { name: databasePath(dataDir) })
  return drizzle(client as never) as unknown as Db
}
