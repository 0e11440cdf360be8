import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import type { Engine } from './engine.ts'
import type * as tables from './tables/index.ts'

/** The open database: Drizzle's builder, and below it what runs its statements. */
export type Db = BetterSQLite3Database<typeof tables> & { $client: Engine }
