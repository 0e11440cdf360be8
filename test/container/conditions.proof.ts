import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { scopeNames } from '../../src/access/scopes.ts'
import { freePort } from '../../src/lib/port.ts'
import { report } from '../support/travel.ts'
import { FOREIGN_UID, lockMissing, MEMORY, startLocked } from './conditions.ts'
import { assemble } from './tree.ts'
import { type Send, sender, walkLegacy, walkMcp, walkOAuth, walkOperations, walkPages } from './walk.ts'

const MB = 1024 ** 2

/** A household that brings its log along and looks at all of it, eight at a time. */
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

/** Tries what must not be possible, and tells how it ended. */
const ESCAPE = `
  const { readFileSync, writeFileSync } = require('node:fs')
  const { connect } = require('node:net')
  const written = ['/tmp/escaped', process.cwd() + '/escaped'].map((path) => {
    try { return writeFileSync(path, '') } catch ({ code }) { return code }
  })
  const capabilities = /CapEff:\\t(\\w+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]
  connect(80, '192.0.2.1').on('error', ({ code }) =>
    console.log(JSON.stringify({ written, capabilities, uid: process.getuid(), connected: code })))`

describe('N16: the program under the conditions of a container', () => {
  test(`does everything: each operation, pages, OAuth, MCP and the older API${lockMissing ? ` (${lockMissing})` : ''}`, {
    timeout: 600_000,
  }, async () => {
    const port = await freePort('127.0.0.1')
    const baseUrl = `http://localhost:${port}`
    const { child, exited, dataDir, socket, beside, command, startMs, mostBytes, conditions, log } = await startLocked(
      ...([assemble(), port, baseUrl] as const),
    )
    const { send, sent } = sender(socket, baseUrl)
    const began = performance.now()
    const { person, key } = await walkPages(send, [...scopeNames])
    const { data: me } = (await send('GET', '/api/v1/me', { headers: { authorization: `Bearer ${key}` } })).json
    await walkOperations(send, key)
    await walkLegacy(send, key, me.id)
    await walkMcp(send, key)
    await walkOAuth(send, person, baseUrl)
    const afterWalk = mostBytes()
    await load(send, key)
    const seconds = (performance.now() - began) / 1000
    const most = mostBytes()
    expect(most).toBeGreaterThan(30 * MB)
    expect(most).toBeLessThanOrEqual(MEMORY)
    expect(await command('healthcheck')).toEqual({ code: 0, signal: null, stdout: 'ok\n', stderr: '' })
    expect(await command('backup', join(dataDir, 'copy.db'))).toMatchObject({ code: 0, stderr: '' })
    if (!lockMissing) {
      expect(JSON.parse((await beside('-e', ESCAPE)).stdout)).toEqual({
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
    report(
      `N16: ${conditions.join('; ')}: ready on an empty directory after ${(startMs / 1000).toFixed(1)} s, ${sent()} requests in ` +
        `${seconds.toFixed(1)} s, at most ${Math.round(afterWalk / MB)} MB in the walk and ${Math.round(most / MB)} MB under load`,
    )
  })

  test('a backup beside a server with its search index, in the memory of the server alone, never ends the server', async () => {
    const port = await freePort('127.0.0.1')
    const baseUrl = `http://localhost:${port}`
    const { child, dataDir, socket, beside, command } = await startLocked(assemble(), port, baseUrl)
    const { send } = sender(socket, baseUrl)
    const { key } = await walkPages(send, [...scopeNames])
    const headers = { authorization: `Bearer ${key}` }
    for (const kind of ['airports', 'airlines', 'aircraft']) {
      expect((await send('GET', `/api/v1/${kind}?query=air`, { headers })).status).toBe(200)
    }
    const files = () => readdirSync(dataDir).filter((name) => !/^paxlog\.db(-wal|-shm)?$/.test(name))
    // It may be too much for the group; then it is this one that goes.
    const { code, signal } = await beside('dist/cli.js', 'backup', join(dataDir, 'copy.db'))
    expect([child.exitCode, child.signalCode]).toEqual([null, null])
    expect((await send('GET', '/api/v1/me', { headers })).status).toBe(200)
    if (code === 0) expect(files()).toEqual(['copy.db'])
    report(`N16: a backup beside a server in a group of 128 MB: ${signal ?? code}`)
    expect(await command('backup', join(dataDir, 'other.db'))).toMatchObject({ code: 0, stderr: '' })
    expect(files()).toEqual(code === 0 ? ['copy.db', 'other.db'] : ['other.db'])
  }, 600_000)
})
