import type Database from 'better-sqlite3'
import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import type * as tables from './tables/index.ts'

/** The open database: Drizzle's builder, and below it the driver. */
export type Db = BetterSQLite3Database<typeof tables> & { $client: Database.Database }
