import { drizzle } from 'drizzle-orm/better-sqlite3'
import type { Db } from '../connection.ts'
import { databasePath } from '../directory.ts'
import * as tables from '../tables/index.ts'
import { type PostgresEngine, postgresClient } from './client.ts'

/** Undefined where the data is in a file. */
export const postgresOf = ({ $client }: Pick<Db, '$client'>): PostgresEngine | undefined =>
  'kind' in $client ? ($client as PostgresEngine) : undefined

/** The same builder as over a file. It asks no more of a driver than `Engine` has, though its types do. */
export function connectPostgres(url: string, dataDir: string): Db {
  const client = postgresClient(url, { name: databasePath(dataDir) })
  return drizzle(client as never, { schema: tables }) as unknown as Db
}
