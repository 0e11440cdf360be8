import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { freePort } from '../../../src/lib/port.ts'

const root = join(import.meta.dirname, '../../..')

/** Password of all users. */
export const PASSWORD = 'the demo password'

/** Header with the client address, so that tours do not share rate limits. */
export const ADDRESS_HEADER = 'x-test-address'

/** Starts the built server with an empty data directory, after `prepare` has run commands. */
async function startInstance(prepare: (paxlog: (...args: string[]) => string, dataDir: string) => void) {
  const dataDir = mkdtempSync(join(tmpdir(), 'paxlog-demo-'))
  const port = await freePort('127.0.0.1')
  const base = `http://localhost:${port}`
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    PORT: String(port),
    BASE_URL: base,
    LOG_LEVEL: 'warn',
    OAUTH_CLIENT_METADATA: 'local',
    ADDRESS_HEADER,
  }
  const paxlog = (...args: string[]) =>
    execFileSync(process.execPath, ['dist/cli.js', ...args], {
      cwd: root,
      env,
      input: `${PASSWORD}\n`,
      encoding: 'utf8',
    })
  prepare(paxlog, dataDir)
  const server = spawn(process.execPath, ['dist/main.js'], { cwd: root, env, stdio: 'inherit' })
  const isReady = () => fetch(`${base}/ready`).then(({ ok }) => ok, () => false) // biome-ignore format: one line
  while (!(await isReady())) await pause(50)
  const stop = async () => {
    server.kill('SIGTERM')
    await once(server, 'exit')
    rmSync(dataDir, { recursive: true })
  }
  return { base, stop }
}

/** Starts an instance with the data of `paxlog demo`. */
export const startDemo = () => startInstance((paxlog) => paxlog('demo', '--password-stdin'))

export type Gallery = Awaited<ReturnType<typeof startGallery>>

const hideEverything = { showMap: false, showFlightNumbers: false, showAirlines: false, showDates: false }

/** Pages only show passkeys, so the keys need not be valid. */
function addPasskeys(dataDir: string): void {
  const db = new Database(join(dataDir, 'paxlog.db'))
  db.exec(`insert into passkeys (user_id, name, credential_id, public_key, counter, rp_id, created_at, last_used_at)
    select id, 'Phone', x'01', x'00', 0, 'localhost', 1770000000000, 1775000000000 from users where username = 'ines'
    union all
    select id, 'Old laptop', x'02', x'00', 0, 'log.example.org', 1740000000000, null from users where username = 'ines'`)
  db.close()
}

/** Serves the metadata of an application that is identified by its URL. */
async function startClientSite() {
  const server = createServer((request, response) => {
    const document = {
      client_id: `http://localhost:${(server.address() as AddressInfo).port}${request.url}`,
      client_name: 'Seat map',
      client_uri: 'https://seatmap.example/about',
      redirect_uris: ['http://127.0.0.1/callback'],
    }
    response.writeHead(request.url === '/client.json' ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(document))
  }).listen(0, 'localhost')
  await once(server, 'listening')
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  return { url, stop: () => server.close() }
}

/** Starts the demo with a new user and several shares, and an instance without an owner. */
export async function startGallery() {
  let key = ''
  const [demo, withoutOwner] = await Promise.all([
    startInstance((paxlog, dataDir) => {
      paxlog('demo', '--password-stdin')
      addPasskeys(dataDir)
      paxlog('user', 'create', '--username', 'noor', '--display-name', 'Noor Haddad', '--password-stdin')
      key = JSON.parse(paxlog('key', 'create', '--username', 'ines', '--name', 'Trip board', '--scopes', 'all')).key
    }),
    startInstance(() => undefined),
  ])
  async function create(path: string, body: unknown): Promise<void> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await fetch(`${demo.base}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (response.status !== 201) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  }
  const everything = { showStats: true, showFlightList: true, showAircraft: true, showTimes: true, showSeat: true }
  await create('/shares', { slug: 'everything', ...everything, showTracks: true, dateFrom: '2023-01-01' })
  await create('/shares', { slug: 'count', ...hideEverything })
  await create('/shares', { slug: 'map' })
  await create('/shares', { ...hideEverything, slug: 'list', showFlightList: true, dateFrom: '2024-01-01' })
  await create('/shares', { slug: 'ahead', dateFrom: '9000-01-01', expiresAt: '9001-01-01T00:00:00Z' })
  const registration = await fetch(`${demo.base}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [`${demo.base}/docs`], client_name: 'Trip board' }),
  })
  const { client_id: clientId } = (await registration.json()) as { client_id: string }
  const clientSite = await startClientSite()
  const stop = () => Promise.all([demo.stop(), withoutOwner.stop(), clientSite.stop()])
  return { base: demo.base, setupBase: withoutOwner.base, clientId, clientSite: clientSite.url, stop }
}
