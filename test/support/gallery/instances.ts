import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../../src/lib/port.ts'

const root = join(import.meta.dirname, '../../..')

/** Of everybody on these instances. */
export const PASSWORD = 'a demo for everybody'

/** Whoever looks says where from, so that the limits of one do not meet another. */
export const ADDRESS_HEADER = 'x-looked-from'

/** The built server over a fresh directory, and its command line. */
async function startInstance(prepare: (paxlog: (...args: string[]) => string) => void) {
  const dataDir = mkdtempSync(join(tmpdir(), 'paxlog-demo-'))
  const port = await freePort('127.0.0.1')
  const base = `http://localhost:${port}`
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: dataDir,
    PORT: String(port),
    BASE_URL: base,
    LOG_LEVEL: 'warn',
    ADDRESS_HEADER,
  }
  prepare((...args) =>
    execFileSync(process.execPath, ['dist/cli.js', ...args], {
      cwd: root,
      env,
      input: `${PASSWORD}\n`,
      encoding: 'utf8',
    }),
  )
  const server = spawn(process.execPath, ['dist/main.js'], { cwd: root, env, stdio: 'inherit' })
  const isReady = () => fetch(`${base}/ready`).then(({ ok }) => ok, () => false) // biome-ignore format: one thought
  while (!(await isReady())) await pause(50)
  const stop = async () => {
    server.kill('SIGTERM')
    await once(server, 'exit')
    rmSync(dataDir, { recursive: true })
  }
  return { base, stop }
}

/** The log of `paxlog demo`. */
export const startDemo = () => startInstance((paxlog) => paxlog('demo', '--password-stdin'))

export type Gallery = Awaited<ReturnType<typeof startGallery>>

const everythingHidden = { showMap: false, showFlightNumbers: false, showAirlines: false, showDates: false }

/** The demo with somebody new and a share of every kind, and an instance that nobody has set up. */
export async function startGallery() {
  let key = ''
  const [demo, fresh] = await Promise.all([
    startInstance((paxlog) => {
      paxlog('demo', '--password-stdin')
      paxlog('user', 'create', '--username', 'noor', '--display-name', 'Noor Haddad', '--password-stdin')
      key = JSON.parse(paxlog('key', 'create', '--username', 'ines', '--name', 'Trip board', '--scopes', 'all')).key
    }),
    startInstance(() => undefined),
  ])
  async function make(path: string, body: unknown): Promise<void> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const answer = await fetch(`${demo.base}/api/v1${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  }
  const everything = { showStats: true, showFlightList: true, showAircraft: true, showTimes: true, showSeat: true }
  await make('/shares', { slug: 'everything', ...everything, showTracks: true, dateFrom: '2023-01-01' })
  await make('/shares', { slug: 'count', ...everythingHidden })
  await make('/shares', { slug: 'map' })
  await make('/shares', { ...everythingHidden, slug: 'list', showFlightList: true, dateFrom: '2024-01-01' })
  await make('/shares', { slug: 'ahead', dateFrom: '9000-01-01', expiresAt: '9001-01-01T00:00:00Z' })
  const registration = await fetch(`${demo.base}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ redirect_uris: [`${demo.base}/docs`], client_name: 'Trip board' }),
  })
  const { client_id: clientId } = (await registration.json()) as { client_id: string }
  const stop = () => Promise.all([demo.stop(), fresh.stop()])
  return { base: demo.base, fresh: fresh.base, clientId, stop }
}
