import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requireSqlite } from '../../../src/db/sqlite/sqlite.ts'
import { cpuOf } from '../../bench/processes.ts'
import { isLimited, limitedNode } from '../../support/memory-group.ts'
import type { TestUser } from '../../support/paxlog.ts'
import { serve } from '../../support/process.ts'
import { legacyServer, type Server, zurichToLisbon } from './support.ts'

const FLIGHT_COUNT = 20_000
/** The memory that a full list may add to the server, in MiB. */
const maxAdded = (program: string) => (isLimited(program) ? 64 : 200)

let server: Server
let owner: TestUser
let small: TestUser

const residentMebibytes = (pid: number) =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024

/** Copies one full flight with different airports and airlines. */
beforeAll(async () => {
  server = await legacyServer()
  owner = server.user({ owner: true, username: 'theowner' })
  small = server.user()
  const me = server.legacyAs(owner)
  const noor = { userId: null, guestName: 'Noor' }
  const details = {
    departureTime: '12:20',
    arrivalTime: '14:15',
    airline: 'SWR',
    aircraft: 'A320',
    note: 'x'.repeat(100),
  }
  await me.save({ ...zurichToLisbon, ...details, passengers: [{ userId: owner.id, seat: 'window' }, noor] })
  const { $client } = server.db
  const columns = (table: string, ...except: string[]) =>
    (requireSqlite(server.db).pragma(`table_info(${table})`) as { name: string }[])
      .map(({ name }) => name)
      .filter((name) => name !== 'id' && !except.includes(name))
      .join(', ')
  const ids = (table: string) => $client.prepare(`select id from ${table} order by id limit 3000`).pluck().all()
  const [airports, airlines] = [ids('airports'), ids('airlines')]
  const flight = columns('flights', 'from_id', 'to_id', 'airline_id')
  const copyFlight = $client.prepare(
    `insert into flights (from_id, to_id, airline_id, ${flight}) select ?, ?, ?, ${flight} from flights where id = 1`,
  )
  const passenger = columns('passengers', 'flight_id')
  const copyPassengers = $client.prepare(
    `insert into passengers (flight_id, ${passenger}) select ?, ${passenger} from passengers where flight_id = 1`,
  )
  $client.transaction(() => {
    for (let count = 2; count <= FLIGHT_COUNT; count++) {
      const [from, to] = [airports[count % 3000], airports[(count * 7) % 3000]]
      copyPassengers.run(copyFlight.run(from, to, airlines[count % 500]).lastInsertRowid)
    }
  })()
  await server.legacyAs(small).save(zurichToLisbon)
})
afterAll(() => server.close())

describe.each(['false', 'true'])(`a list of ${FLIGHT_COUNT} flights with LEGACY_OBJECTS=%s`, (objects) => {
  test('streams the complete list in 256 MB and the same bytes on every read', {
    timeout: 600_000,
  }, async () => {
    const program = limitedNode()
    const { origin, child } = await serve({
      dataDir: server.dataDir,
      env: { LEGACY_OBJECTS: objects },
      program,
    })
    const memory = () => residentMebibytes(child.pid!)
    const list = (who: TestUser, query = '') =>
      fetch(`${origin}/api/flight/list${query}`, { headers: { authorization: `Bearer ${who.key}` } })
    // The first response compiles the serializer and fills the caches, so it is not measured.
    expect(((await (await list(small)).json()) as { flights: object[] }).flights).toHaveLength(1)

    const cpu = cpuOf(child.pid!)
    const before = memory()
    const started = performance.now()
    const hash = createHash('sha256')
    let [bytes, peak, first] = [0, before, 0]
    const answer = await list(owner)
    for await (const chunk of answer.body!) {
      first ||= performance.now() - started
      hash.update(chunk)
      bytes += chunk.length
      peak = Math.max(peak, memory())
    }
    const milliseconds = Math.round(performance.now() - started)
    const measured = `${FLIGHT_COUNT} flights, ${(bytes / 2 ** 20).toFixed(1)} MiB in ${milliseconds} ms with ${Math.round((cpuOf(child.pid!) - cpu) / 1000)} ms of CPU, first bytes after ${Math.round(first)} ms; memory ${Math.round(before)} MiB before, ${Math.round(peak)} MiB at most`
    process.stdout.write(`LEGACY_OBJECTS=${objects}: ${measured}\n`)
    expect(answer.headers.get('content-length')).toBeNull()
    expect(peak - before).toBeLessThan(maxAdded(program))

    const text = await (await list(owner, '?scope=all')).text()
    const { success, flights } = JSON.parse(text) as { success: boolean; flights: { id: number }[] }
    expect([success, flights.length]).toEqual([true, FLIGHT_COUNT + 1])
    expect(flights.every(({ id }, index) => index === 0 || id > flights[index - 1]!.id)).toBe(true)

    const again = await (await list(owner)).text()
    expect(createHash('sha256').update(again).digest('hex')).toBe(hash.digest('hex'))
  })
})

test('serves other requests while a long list is sent', async () => {
  const { origin } = await serve({ dataDir: server.dataDir })
  const headers = { authorization: `Bearer ${owner.key}` }
  let done = false
  const long = fetch(`${origin}/api/flight/list`, { headers }).then(async (answer) => {
    await answer.arrayBuffer()
    done = true
  })
  const waits: number[] = []
  while (!done) {
    const started = performance.now()
    await (await fetch(`${origin}/health`)).text()
    waits.push(performance.now() - started)
  }
  await long
  process.stdout.write(`${waits.length} other requests meanwhile, the slowest ${Math.round(Math.max(...waits))} ms\n`)
  expect(waits.length).toBeGreaterThan(3)
})
