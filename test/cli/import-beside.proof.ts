import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { closeDatabase, disableBusyTimeout, openDatabase } from '../../src/db/open.ts'
import { PEAK_AT_END, peakIn } from '../support/memory.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { dist, loadedFolder, ownerKey, run, start } from '../support/process.ts'
import { percentile, report } from '../support/travel.ts'
import { watchedServer } from '../support/watched-server.ts'

const ROWS = 20_000
const CODES = ['LSZH', 'LPPT', 'EGLL', 'KJFK', 'EDDF', 'LFPG']

/** A file of another log; no two rows are the same flight. */
function file(): string {
  const rows = Array.from({ length: ROWS }, (_, index) => {
    const day = new Date(Date.UTC(1990, 0, 1) + (index % 12_000) * 86_400_000).toISOString().slice(0, 10)
    return `${day},${CODES[index % 6]},${CODES[(index + 1) % 6]},,LX${index}`
  })
  const path = join(temporaryFolder(), 'flights.csv')
  writeFileSync(path, ['date,origin,destination,ticket_class,flight_number', ...rows].join('\n'))
  return path
}

test('paxlog import beside a server: everybody who writes is served, and nobody who reads waits for the lock', async () => {
  const dataDir = loadedFolder()
  const key = ownerKey(dataDir)
  const db = openDatabase(dataDir)
  const [username, fromId, toId] = [
    db.$client.prepare("select username from users where id = 'owner'").pluck().get() as string,
    ...['LSZH', 'LPPT'].map((icao) => db.$client.prepare('select id from airports where icao = ?').pluck().get(icao)),
  ] as const
  closeDatabase(db)
  const { url, watched } = await watchedServer(dataDir)
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const times: Record<'read' | 'write', number[]> = { read: [], write: [] }
  const statuses = new Set<number>()
  let running = true

  async function keepOn(kind: 'read' | 'write', send: () => Promise<Response>) {
    while (running) {
      const began = performance.now()
      const answer = await send()
      await answer.arrayBuffer()
      statuses.add(answer.status)
      times[kind].push(performance.now() - began)
      await wait(10)
    }
  }
  const others = [
    keepOn('read', () => fetch(`${url}/api/v1/me`, { headers })),
    keepOn('write', () =>
      fetch(`${url}/api/v1/flights`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ date: '2025-05-03', fromId, toId }),
      }),
    ),
    keepOn('write', () =>
      fetch(`${url}/api/v1/preferences`, { method: 'PUT', headers, body: JSON.stringify({ distanceUnit: 'km' }) }),
    ),
  ]
  await wait(500)
  await watched()
  const args = ['import', file(), '--username', username, '--data-dir', dataDir]
  const { code, stdout, stderr } = await run([...PEAK_AT_END, dist('cli.js'), ...args])
  running = false
  await Promise.all(others)
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { rows: ROWS, created: ROWS, rejected: [] }])
  // Neither busy nor failed, whoever it was.
  expect([...statuses].sort()).toEqual([200, 201])
  const { longestDelayMs, longestWorkMs } = await watched()
  const p99 = (kind: 'read' | 'write') => Math.round(percentile(times[kind], 0.99))
  const most = (kind: 'read' | 'write') => Math.round(Math.max(...times[kind]))
  report(
    `paxlog import of ${ROWS} rows beside a server: reads p99 ${p99('read')} ms, at most ${most('read')}; writes p99 ` +
      `${p99('write')} ms, at most ${most('write')}; the event loop worked ${Math.round(longestWorkMs)} ms in one piece and stood ` +
      `still ${Math.round(longestDelayMs)}; the command had ${Math.round(peakIn(stderr))} MB at most`,
  )
})

test('paxlog import that is killed while it writes leaves no flight and no file, and the next one takes the whole file', async () => {
  const dataDir = loadedFolder()
  ownerKey(dataDir)
  const args = [dist('cli.js'), 'import', file(), '--username', 'owner', '--data-dir', dataDir]
  const other = openDatabase(dataDir)
  disableBusyTimeout(other)
  const isLocked = () => {
    try {
      other.$client.exec('begin immediate; rollback')
      return false
    } catch {
      return true
    }
  }
  const child = start(args)
  const ended = once(child, 'exit')
  while (child.exitCode === null && !isLocked()) await wait(5)
  await wait(50)
  child.kill('SIGKILL')
  expect((await ended)[1]).toBe('SIGKILL')
  expect(other.$client.prepare('select count(*) from flights').pluck().get()).toBe(0)
  closeDatabase(other)
  expect(readdirSync(dataDir).filter((name) => !/^paxlog\.db(-wal|-shm)?$/.test(name))).toEqual([])
  const { stdout } = await run(args)
  expect(JSON.parse(stdout)).toMatchObject({ rows: ROWS, created: ROWS, duplicates: 0 })
  expect(readdirSync(dataDir)).toEqual(['paxlog.db'])
})
