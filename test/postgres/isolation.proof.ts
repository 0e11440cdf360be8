import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { postgresClient } from '../../src/db/postgres/client.ts'
import { measured } from '../support/measured.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { startPostgres } from '../support/postgres.ts'
import { serve } from '../support/process.ts'
import { fillDatabase } from '../support/small-instance.ts'

/** `/health` answers within a second (contract 17.11). Twice that, for busy machines. */
const MAX_HEALTH_MS = 2_000
const MAX_READY_MS = 10_000
const CLIENTS = 8

/** A network between a server and its database that can drop packets. */
async function network(port: number) {
  const sockets = new Set<Socket>()
  let isDropping = false
  const server = createServer((inner) => {
    const outer = connect(port, '127.0.0.1')
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      sockets.add(from)
      from.on('data', (chunk) => isDropping || to.write(chunk))
      from.on('error', () => undefined)
      from.on('close', () => isDropping || to.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return {
    port: (server.address() as AddressInfo).port,
    drop: () => {
      isDropping = true
    },
    /** Existing connections stay dead, because their packets are lost. */
    restore: () => {
      isDropping = false
    },
  }
}

/** A server on PostgreSQL, an administrator of its database, and clients that read and write all the time. */
async function started() {
  const postgres = await startPostgres({ durable: true })
  onTestFinished(postgres.stop)
  const url = postgres.url('postgres')
  const { key, flight } = await fillDatabase(url)
  const between = await network(postgres.port)
  const DATABASE_URL = url.replace(String(postgres.port), String(between.port))
  const { origin } = await serve({ dataDir: temporaryFolder(), env: { DATABASE_URL } })
  const administrator = postgresClient(url, { name: '' })
  onTestFinished(() => void administrator.close())

  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify(flight)
  const read = () => fetch(`${origin}/api/v1/flights?limit=5`, { headers })
  const write = () => fetch(`${origin}/api/v1/flights`, { method: 'POST', headers, body })

  const timed = async (path: string) => {
    const start = performance.now()
    const { status } = await fetch(`${origin}${path}`)
    return { status, ms: performance.now() - start }
  }

  /** Sends requests and health checks for some seconds. */
  async function during(seconds: number) {
    const end = performance.now() + seconds * 1000
    const statuses = { read: new Set<number>(), write: new Set<number>() }
    const health: Awaited<ReturnType<typeof timed>>[] = []
    async function repeat(work: () => Promise<unknown>, pauseMs: number): Promise<void> {
      while (performance.now() < end) {
        await work()
        await wait(pauseMs)
      }
    }
    const reader = async () => statuses.read.add((await read()).status)
    const writer = async () => statuses.write.add((await write()).status)
    await Promise.all([
      ...Array.from({ length: CLIENTS }, (_, index) => repeat(index % 2 ? reader : writer, 5)),
      repeat(async () => health.push(await timed('/health')), 20),
    ])
    expect(health.filter(({ status, ms }) => status !== 200 || ms > MAX_HEALTH_MS)).toEqual([])
    const slowest = Math.max(...health.map(({ ms }) => ms))
    measured(`${health.length} health checks in ${seconds} s, slowest ${Math.round(slowest)} ms`)
    const ready = await timed('/ready')
    expect(ready.ms).toBeLessThan(MAX_READY_MS)
    return { read: [...statuses.read].sort(), write: [...statuses.write].sort(), ready: ready.status }
  }

  async function untilRecovered(): Promise<void> {
    const end = performance.now() + 60_000
    for (;;) {
      const statuses = [(await read()).status, (await write()).status, (await timed('/ready')).status]
      if (statuses.join() === '200,201,200') return
      if (performance.now() > end) throw new Error(`The server did not recover: ${statuses}`)
      await wait(100)
    }
  }

  await untilRecovered()
  return { administrator, between, during, untilRecovered }
}

test('a table locked by an administrator gives 503, and health checks are answered', async () => {
  const { administrator, during, untilRecovered } = await started()
  administrator.exec('begin')
  administrator.exec('lock table flights in access exclusive mode')
  expect(await during(5)).toEqual({ read: [503], write: [503], ready: 503 })
  administrator.exec('rollback')
  await untilRecovered()
})

test('a standby that does not confirm commits gives 503 for writes, and reads continue', async () => {
  const { administrator, during, untilRecovered } = await started()
  const setStandby = (name: string) => {
    administrator.exec(`alter system set synchronous_standby_names = '${name}'`)
    administrator.exec('select pg_reload_conf()')
  }
  setStandby('frozen')
  expect(await during(8)).toEqual({ read: [200, 503], write: [503], ready: 503 })
  setStandby('')
  await untilRecovered()
})

test('a network that drops packets gives 503, and health checks are answered', async () => {
  const { between, during, untilRecovered } = await started()
  between.drop()
  expect(await during(6)).toEqual({ read: [503], write: [503], ready: 503 })
  between.restore()
  await untilRecovered()
})
