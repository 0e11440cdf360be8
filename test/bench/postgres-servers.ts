import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../../src/lib/port.ts'
import { median } from './load.ts'
import { databaseUrl } from './postgres-world.ts'
import { type BenchServer, startPaxlog } from './processes.ts'

const SAMPLES = 300

export interface DelayProxy {
  port: number
  /** Round trips of all clients until now. */
  roundTrips: () => Promise<number>
  stop: () => void
}

/** Starts a proxy that adds a round trip time to a PostgreSQL server. */
export async function startDelayProxy(serverPort: number, roundTripMs: number): Promise<DelayProxy> {
  const program = join(import.meta.dirname, 'delay-proxy.ts')
  const child = fork(program, [String(serverPort), String(roundTripMs / 2)])
  const [port] = (await once(child, 'message')) as [number]
  const roundTrips = async () => {
    child.send('roundTrips')
    const [count] = (await once(child, 'message')) as [number]
    return count
  }
  return { port, roundTrips, stop: () => void child.kill() }
}

/** Two Paxlog servers at the same distance from PostgreSQL. */
export interface Site {
  name: string
  servers: [BenchServer, BenchServer]
  stop: () => Promise<void>
}

export async function startSite(name: string, postgresPort: number): Promise<Site> {
  const startServer = async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'paxlog-bench-'))
    const port = await freePort('127.0.0.1')
    const server = await startPaxlog({ dataDir, port, databaseUrl: databaseUrl(postgresPort) })
    const stop = async () => {
      await server.stop()
      rmSync(dataDir, { recursive: true })
    }
    return { ...server, stop }
  }
  const servers: Site['servers'] = [await startServer(), await startServer()]
  const stop = async () => {
    for (const server of servers) await server.stop()
  }
  return { name, servers, stop }
}

/** The median time of a statement in milliseconds. */
export async function timeStatement(port: number, sql: string): Promise<number> {
  const client = new pg.Client(databaseUrl(port))
  await client.connect()
  const times: number[] = []
  for (let count = 0; count < SAMPLES; count++) {
    const start = performance.now()
    await client.query(sql)
    times.push(performance.now() - start)
  }
  await client.end()
  return median(times)
}
