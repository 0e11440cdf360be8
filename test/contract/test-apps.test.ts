import { describe, expect, test } from 'vitest'
import type { Db } from '../../src/db/open.ts'
import { requireSqlite } from '../../src/db/sqlite/sqlite.ts'
import { referenceRows } from '../support/factory.ts'
import { signedIn } from '../support/pages.ts'
import { paxlog } from '../support/paxlog.ts'

/** The row count of each table, without those of SQLite. */
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

/** No other file uses this option, so that these tests start with a new app instead of one that is about to be retired. */
const own = { xffDepth: 7 }

describe('an app that is shared by tests', () => {
  let usedDataDir: string

  test('contains data and reaches its registration limit in one test', async () => {
    const instance = await signedIn(own)
    const { db, dataDir, owner, key, as } = instance
    const { airports } = referenceRows(db)
    const flight = { date: '2025-05-03', fromId: airports.ZRH, toId: airports.LIS, passengers: [{ userId: owner.id }] }
    expect(await as(key(owner.id)).post('/flights', flight)).toMatchObject({ status: 201, body: { data: { id: 1 } } })
    for (let count = 0; count < 10; count++) expect((await register(instance)).status).toBe(201)
    expect((await register(instance)).status).toBe(429)
    usedDataDir = dataDir
  })

  test('is reset for the next test', async () => {
    const instance = await paxlog(own)
    const { db, dataDir, user, as } = instance
    expect(dataDir).toBe(usedDataDir)
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

  test('is discarded after a schema change', async () => {
    const { db, dataDir } = await paxlog(own)
    expect(dataDir).toBe(usedDataDir)
    db.$client.exec('create table more (id integer)')
  })

  test('is replaced by another app', async () => {
    expect((await paxlog(own)).dataDir).not.toBe(usedDataDir)
  })
})
