import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { scopeNames } from '../../src/access/scopes.ts'
import { freePort } from '../../src/lib/port.ts'
import { sender, walkLegacy, walkMcp, walkOAuth, walkOperations, walkPages } from '../container/walk.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { root, serve, start } from '../support/process.ts'

const CADDY = '/usr/bin/caddy'
const isMissing = !existsSync(CADDY)

let postgres: PostgresServer
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres.stop())

const file = parse(readFileSync(join(root, 'compose.scale.yaml'), 'utf8'), { merge: true })

/** Starts the proxy of `compose.scale.yaml` with local ports instead of service names. */
async function startProxy(ports: readonly number[]): Promise<number> {
  const port = await freePort('127.0.0.1')
  const caddyfile: string = file.configs.caddyfile.content
  const localCaddyfile = caddyfile
    .replace(':3000 {', `http://localhost:${port} {\nbind 127.0.0.1`)
    .replace('paxlog-1:3000', `127.0.0.1:${ports[0]}`)
    .replace('paxlog-2:3000', `127.0.0.1:${ports[1]}`)
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'Caddyfile'), `{\nadmin off\n}\n${localCaddyfile}`)
  const env = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const args = ['run', '--config', join(folder, 'Caddyfile'), '--adapter', 'caddyfile']
  const proxy = start(args, { program: CADDY, cwd: folder, env })
  let output = ''
  proxy.stderr!.on('data', (chunk) => (output += chunk))
  for (const end = performance.now() + 60_000; performance.now() < end; await wait(100)) {
    const answer = await fetch(`http://localhost:${port}/ready`).catch(() => undefined)
    if (answer?.ok) return port
    if (proxy.exitCode !== null) break
  }
  throw new Error(`The proxy did not start: ${output}`)
}

describe('compose.scale.yaml', () => {
  test.skipIf(isMissing)(
    `serves all requests with two servers behind its proxy, and with one after the other is killed${isMissing ? ` (skipped: ${CADDY} is not installed)` : ''}`,
    async () => {
      const settings = file.services['paxlog-1'].environment
      const dataDir = temporaryFolder()
      const baseUrl = 'http://localhost:3000'
      const env = { ...settings, BASE_URL: baseUrl, DATABASE_URL: postgres.url('postgres') }
      const servers = await Promise.all([0, 1].map(() => serve({ dataDir, env })))
      const port = await startProxy(servers.map((server) => server.port))
      const { send } = sender(port, baseUrl)

      // Requests through a proxy are not local and need the setup code of either log.
      const [, code] = /setup code (\w{4}-\w{4})/.exec(servers[1]!.logText())!
      const { person, key } = await walkPages(send, [...scopeNames], code)
      const { data: me } = (await send('GET', '/api/v1/me', { headers: { authorization: `Bearer ${key}` } })).json
      await walkOperations(send, key)
      await walkLegacy(send, key, me.id)
      await walkMcp(send, key)
      await walkOAuth(send, person, baseUrl)
      // Both servers handled requests without errors.
      for (const server of servers) {
        const requests = server.log().filter(({ route }) => route?.startsWith('/api/v1'))
        expect(requests.length).toBeGreaterThan(10)
        expect(server.log().filter(({ level }) => level >= 50)).toEqual([])
      }

      // Clients cannot spoof their address, and both servers share the limits.
      const registered: number[] = []
      for (let count = 0; count < 21; count++) {
        const headers = { 'x-forwarded-for': `203.0.113.${count}` }
        const body = { redirect_uris: ['https://board.example/cb'] }
        registered.push((await send('POST', '/oauth/register', { headers, body })).status)
      }
      expect(new Set(registered)).toEqual(new Set([201, 429]))

      // After one server is killed, reads continue at once and writes after the proxy notices.
      servers[0]!.child.kill('SIGKILL')
      await servers[0]!.exited
      const headers = { authorization: `Bearer ${key}` }
      const sendTen = async (method: string, body?: object) => {
        const statuses = new Set<number>()
        for (let count = 0; count < 10; count++)
          statuses.add((await send(method, '/api/v1/flights', { headers, ...(body && { body }) })).status)
        return [...statuses].sort()
      }
      expect(await sendTen('GET')).toEqual([200])
      const write = () => sendTen('POST', { date: '2025-05-03', fromId: 1, toId: 2 })
      await expect.poll(write, { timeout: 60_000, interval: 500 }).toEqual([201])
    },
  )
})
