import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { scopeNames } from '../../src/access/scopes.ts'
import { freePort } from '../../src/lib/port.ts'
import { measured } from '../support/measured.ts'
import { FOREIGN_UID, isolationMissing, MEMORY, startIsolated } from './conditions.ts'
import { createProgramFolder } from './tree.ts'
import { type Send, sender, walkLegacy, walkMcp, walkOAuth, walkOperations, walkPages } from './walk.ts'

const MB = 1024 ** 2

/** Imports 2,000 flights, then reads them with eight concurrent clients. */
async function load(send: Send, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}` }
  const rows = Array.from({ length: 2_000 }, (_, index) => `${2000 + (index % 25)}-05-03,LSZH,LPPT,,LX${index}`)
  const csv = ['date,origin,destination,ticket_class,flight_number', ...rows].join('\n')
  const imported = await send('POST', '/api/v1/flights/import', { headers, body: csv, type: 'text/csv' })
  expect(imported.json.data).toMatchObject({ created: 2_000, rejected: [] })
  const paths = ['/flights?limit=100', '/flights/export', '/stats', '/airports?query=zu', '/me']
  const queue = Array.from({ length: 100 }, (_, index) => paths[index % paths.length]!)
  const client = async () => {
    for (let path = queue.shift(); path; path = queue.shift()) {
      expect((await send('GET', `/api/v1${path}`, { headers })).status).toBe(200)
    }
  }
  await Promise.all(Array.from({ length: 8 }, client))
}

/** Tries forbidden operations and prints their error codes. */
const ESCAPE = `
  const { readFileSync, writeFileSync } = require('node:fs')
  const { connect } = require('node:net')
  const written = ['/tmp/escaped', process.cwd() + '/escaped'].map((path) => {
    try { return writeFileSync(path, '') } catch ({ code }) { return code }
  })
  const capabilities = /CapEff:\\t(\\w+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]
  connect(80, '192.0.2.1').on('error', ({ code }) =>
    console.log(JSON.stringify({ written, capabilities, uid: process.getuid(), connected: code })))`

describe('N16: the program under container restrictions', () => {
  test(`serves every operation, pages, OAuth, MCP and the legacy API${isolationMissing ? ` (${isolationMissing})` : ''}`, {
    timeout: 600_000,
  }, async () => {
    const port = await freePort('127.0.0.1')
    const baseUrl = `http://localhost:${port}`
    const { child, exited, dataDir, socket, runInContainer, command, startMs, peakBytes, conditions, log } =
      await startIsolated(...([createProgramFolder(), port, baseUrl] as const))
    const { send, sent } = sender(socket, baseUrl)
    const began = performance.now()
    const { person, key } = await walkPages(send, [...scopeNames])
    const { data: me } = (await send('GET', '/api/v1/me', { headers: { authorization: `Bearer ${key}` } })).json
    await walkOperations(send, key)
    await walkLegacy(send, key, me.id)
    await walkMcp(send, key)
    await walkOAuth(send, person, baseUrl)
    const peakAfterWalk = peakBytes()
    await load(send, key)
    const seconds = (performance.now() - began) / 1000
    const peak = peakBytes()
    expect(peak).toBeGreaterThan(30 * MB)
    expect(peak).toBeLessThanOrEqual(MEMORY)
    expect(await command('healthcheck')).toEqual({ code: 0, signal: null, stdout: 'ok\n', stderr: '' })
    expect(await command('backup', join(dataDir, 'copy.db'))).toMatchObject({ code: 0, stderr: '' })
    if (!isolationMissing) {
      expect(JSON.parse((await runInContainer('-e', ESCAPE)).stdout)).toEqual({
        written: ['EROFS', 'EROFS'],
        capabilities: '0000000000000000',
        uid: FOREIGN_UID,
        connected: 'ENETUNREACH',
      })
    }
    child.kill('SIGTERM')
    expect(await exited).toEqual([0, null])
    expect(readdirSync(dataDir)).toEqual(['copy.db', 'paxlog.db'])
    expect(log()).not.toContain('"level":50')
    measured(
      `${conditions.join('; ')}: ready on an empty directory after ${(startMs / 1000).toFixed(1)} s, ${sent()} requests in ` +
        `${seconds.toFixed(1)} s, peak ${Math.round(peakAfterWalk / MB)} MB in the walk and ${Math.round(peak / MB)} MB under load`,
    )
  })

  test('a backup within the memory limit of the server never kills the server', async () => {
    const port = await freePort('127.0.0.1')
    const baseUrl = `http://localhost:${port}`
    const { child, dataDir, socket, runInContainer, command } = await startIsolated(
      createProgramFolder(),
      port,
      baseUrl,
    )
    const { send } = sender(socket, baseUrl)
    const { key } = await walkPages(send, [...scopeNames])
    const headers = { authorization: `Bearer ${key}` }
    for (const kind of ['airports', 'airlines', 'aircraft']) {
      expect((await send('GET', `/api/v1/${kind}?query=air`, { headers })).status).toBe(200)
    }
    const files = () => readdirSync(dataDir).filter((name) => !/^paxlog\.db(-wal|-shm)?$/.test(name))
    // If the memory limit is exceeded, the backup is killed and not the server.
    const { code, signal } = await runInContainer('dist/cli.js', 'backup', join(dataDir, 'copy.db'))
    expect([child.exitCode, child.signalCode]).toEqual([null, null])
    expect((await send('GET', '/api/v1/me', { headers })).status).toBe(200)
    if (code === 0) expect(files()).toEqual(['copy.db'])
    measured(`a backup in the same memory group ${code === 0 ? 'succeeded' : `ended with ${signal ?? code}`}`)
    expect(await command('backup', join(dataDir, 'other.db'))).toMatchObject({ code: 0, stderr: '' })
    expect(files()).toEqual(code === 0 ? ['copy.db', 'other.db'] : ['other.db'])
  }, 600_000)
})
