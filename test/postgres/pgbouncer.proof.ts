import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserSession } from '../support/browser-session.ts'
import { fieldsIn } from '../support/form-fields.ts'
import { createDocumentedDatabase, documentedBlock } from '../support/hosting-guide.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { pgbouncerMissing, startPgbouncer } from '../support/pgbouncer.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { cli, dist, objects, run, serve } from '../support/process.ts'
import { fillDatabase } from '../support/small-instance.ts'
import { api, ask, inTurns, type ServerPair } from '../support/two-servers.ts'

const BASE_URL = 'http://localhost:3000'

let postgres: PostgresServer
beforeAll(async () => {
  postgres = await startPostgres({ superuser: 'postgres' })
  await createDocumentedDatabase(postgres)
})
afterAll(() => postgres?.stop())

const documentedSettings = () => documentedBlock('PgBouncer', 'ini').split('[pgbouncer]\n')[1]!

async function failedChecks(url: string): Promise<string[]> {
  const finished = await cli(['doctor'], { env: { DATABASE_URL: url, DATA_DIR: temporaryFolder() } })
  return objects(finished)
    .filter(({ ok }) => !ok)
    .map(({ check, message }) => `${check}: ${message}`)
}

describe.skipIf(pgbouncerMissing)(`PgBouncer${pgbouncerMissing ? ` (skipped: ${pgbouncerMissing})` : ''}`, () => {
  test('in session mode serves two servers, which recover after it was killed', async () => {
    const { key, session, flight } = await fillDatabase(postgres.url('paxlog'))
    const pool = await startPgbouncer(postgres, documentedSettings())
    const env = { BASE_URL, DATABASE_URL: pool.url }
    const servers = (await Promise.all([0, 1].map(() => serve({ dataDir: temporaryFolder(), env })))) as ServerPair
    const [one, other] = servers

    /** Each server reads what the other one writes. */
    async function writeAndRead(): Promise<void> {
      for (let round = 0; round < 10; round++) {
        const [writer, reader] = round % 2 === 0 ? [one, other] : [other, one]
        const created = await api(writer, key, 'POST', '/flights', flight)
        expect([created.status, created.text]).toEqual([201, expect.any(String)])
        expect((await api(reader, key, 'GET', `/flights/${created.body.data.id}`)).status).toBe(200)
      }
    }
    await writeAndRead()
    const browser = browserSession(inTurns(servers))
    browser.jar.set('paxlog', session)
    const page = '/flights/new'
    for (const note of ['first', 'second', 'third']) {
      const fields = fieldsIn((await browser.get(page)).html, page)
      const saved = await browser.post(page, { ...fields, from: 'ZRH', to: 'LIS', date: '2025-05-03', note })
      expect(saved.status).toBe(303)
      await browser.get('/settings')
    }
    const rows = Array.from({ length: 700 }, (_, row) => `2020-01-02,LSZH,LPPT,,LX${row}`)
    const file = ['date,origin,destination,ticket_class,flight_number', ...rows].join('\n')
    const imported = await api(one, key, 'POST', '/flights/import', file)
    expect(imported.body.data.created).toBe(700)
    // The test server runs without fsync.
    expect((await failedChecks(pool.url)).filter((line) => !line.startsWith('durability'))).toEqual([])

    await pool.kill()
    for (const server of servers) {
      const answers = [await api(server, key, 'POST', '/flights', flight), await api(server, key, 'GET', '/flights')]
      expect(answers.map(({ status }) => status)).toEqual([503, 503])
      expect((await ask(server, '/ready')).status).toBe(503)
      expect((await ask(server, '/health')).status).toBe(200)
    }
    await pool.restart()
    for (const server of servers)
      await expect.poll(async () => (await ask(server, '/ready')).status, { timeout: 30_000 }).toBe(200)
    await writeAndRead()
    for (const server of servers) expect(server.child.exitCode).toBe(null)
  })

  test('in transaction mode is rejected by servers and the doctor', { timeout: 60_000 }, async () => {
    const settings = documentedSettings().replace('pool_mode = session', 'pool_mode = transaction')
    const pool = await startPgbouncer(postgres, settings)
    const env = { BASE_URL, DATABASE_URL: pool.url, DATA_DIR: temporaryFolder(), HOST: '127.0.0.1', PORT: '0' }
    const { code, stderr } = await run([dist('main.js')], { env })
    expect([code, stderr]).toEqual([1, expect.stringMatching(/pool.*session/)])
    expect((await failedChecks(pool.url)).filter((line) => line.startsWith('session: '))).toHaveLength(1)
  })
})
