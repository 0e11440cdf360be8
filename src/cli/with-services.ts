import type { Config } from '../app/config.ts'
import { createServices, type Services } from '../app/services.ts'
import { closeDatabase, type Db, openDatabase } from '../db/open.ts'

export async function withServices<Result>(
  config: Config,
  work: (services: Services, db: Db) => Result | Promise<Result>,
): Promise<Result> {
  const db = openDatabase(config.dataDir, config.databaseUrl)
  try {
    const services = createServices({ db })
    await services.roles.installBuiltIn()
    return await work(services, db)
  } finally {
    closeDatabase(db)
  }
}
