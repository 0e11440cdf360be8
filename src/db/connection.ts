import type { BetterSQLite3Database } from 'drizzle-orm/better-sqlite3'
import type { Engine } from './engine.ts'
import type * as tables from './tables/index.ts'

export type Db = BetterSQLite3Database<typeof tables> & { $client: Engine }
