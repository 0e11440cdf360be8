import { describe, expect, test } from 'vitest'
import type { Db } from '../../src/db/open.ts'
import { requireSqlite } from '../../src/db/sqlite/sqlite.ts'
import { referenceRows } from '../support/factory.ts'
import { signedIn } from '../support/pages.ts'
import { paxlog } from '../support/paxlog.ts'

/** How many rows each table has, without those of SQLite itself. */
function rowsOf({ $client: client }: Db): Record<string, unknown> {
  const names = client
    .prepare("select name from sqlite_schema where type = 'table' and name not like 'sqlite_%' order by name")
    .pluck()
    .all() as string[]
  return Object.fromEntries(names.map((name) => [name, client.prepare(`select count(*) from ${name}`).pluck().get()]))
}

const metadata = { client_name: 'Board', redirect_uris: ['https://board.example/cb'] }
const register = ({ request }: Pick<Awaited<ReturnType<typeof paxlog>>, 'request'>) =>
  request({ method: 'POST', url: '/oauth/register', payload: metadata })

describe('an app that one test after the other has', () => {
  let used: string

  test('is filled with this and that, and tired of registrations', async () => {
    const instance = await signedIn()
    const { db, dataDir, owner, key, as } = instance
    const { airports } = referenceRows(db)
    const flight = { date: '2025-05-03', fromId: airports.ZRH, toId: airports.LIS, passengers: [{ userId: owner.id }] }
    expect(await as(key(owner.id)).post('/flights', flight)).toMatchObject({ status: 201, body: { data: { id: 1 } } })
    for (let count = 0; count < 10; count++) expect((await register(instance)).status).toBe(201)
    expect((await register(instance)).status).toBe(429)
    used = dataDir
  })

  test('is as new for the next one', async () => {
    const instance = await paxlog()
    const { db, dataDir, user, as } = instance
    expect(dataDir).toBe(used)
    expect(rowsOf(db)).toEqual(rowsOf((await paxlog({ unused: true })).db))
    expect(requireSqlite(db).pragma('foreign_key_check')).toEqual([])
    expect(requireSqlite(db).pragma('foreign_keys', { simple: true })).toBe(1)
    expect((await register(instance)).status).toBe(201)
    const { airports } = referenceRows(db)
    const mira = as(user({ username: 'mira' }))
    expect((await mira.get('/flights')).body.data).toEqual([])
    const flight = { date: '2025-06-04', fromId: airports.LIS, toId: airports.ZRH }
    expect(await mira.post('/flights', flight)).toMatchObject({ body: { data: { id: 1, date: '2025-06-04' } } })
  })

  test('is another one after a change of the schema', async () => {
    const { db, dataDir } = await paxlog()
    expect(dataDir).toBe(used)
    db.$client.exec('create table more (id integer)')
  })

  test('so this one has none', async () => {
    expect((await paxlog()).dataDir).not.toBe(used)
  })
})
