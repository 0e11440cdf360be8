import { createServices } from '../../src/app/services.ts'
import { closeDatabase, openDatabase } from '../../src/db/open.ts'
import { shippedVersion } from '../../src/domain/reference/shipped.ts'
import { makers, temporaryFolder } from './paxlog.ts'
import { places } from './travel.ts'
import { writeNow } from './write-now.ts'

/**
 * Fills an empty database with an owner and a few airports. It has the version of the shipped data, because loading that
 * is slow.
 */
export async function fillDatabase(databaseUrl: string) {
  const db = openDatabase(temporaryFolder(), databaseUrl)
  const { roles, sessions } = createServices({ db })
  await roles.installBuiltIn()
  const insert = db.$client.prepare("insert into settings values ('reference_version', ?)")
  writeNow(db, () => insert.run(shippedVersion()))
  const { airports } = places(db)
  const { id, key } = makers(db).user({ owner: true, username: 'ada' })
  const session = await sessions.start(id)
  closeDatabase(db)
  return { key, session, flight: { date: '2025-05-03', fromId: airports.ZRH, toId: airports.LIS } }
}
