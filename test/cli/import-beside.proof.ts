import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { closeDatabase, limitStatements, openDatabase } from '../../src/db/open.ts'
import { PEAK_AT_END, peakIn } from '../support/memory.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { dist, loadedFolder, ownerKey, run, start } from '../support/process.ts'
import { percentile, report } from '../support/travel.ts'
import { watchedServer } from '../support/watched-server.ts'

const ROWS = 20_000
const CODES = ['LSZH', 'LPPT', 'EGLL', 'KJFK', 'EDDF', 'LFPG']

/** Writes a CSV file in which every row is a different flight. */
function file(): string {
  const rows = Array.from({ length: ROWS }, (_, index) => {
    const day = new Date(Date.UTC(1990, 0, 1) + (index % 12_000) * 86_400_000).toISOString().slice(0, 10)
    return `${day},${CODES[index % 6]},${CODES[(index + 1) % 6]},,LX${index}`
  })
  const path = join(temporaryFolder(), 'flights.csv')
  writeFileSync(path, ['date,origin,destination,ticket_class,flight_number', ...rows].join('\n'))
  return path
}

test('paxlog import does not make reads or writes of a running server fail', async () => {
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

  async function sendRepeatedly(kind: 'read' | 'write', send: () => Promise<Response>) {
    while (running) {
      const began = performance.now()
      const answer = await send()
      await answer.arrayBuffer()
      statuses.add(answer.status)
      times[kind].push(performance.now() - began)
      await wait(10)
    }
  }
  const clients = [
    sendRepeatedly('read', () => fetch(`${url}/api/v1/me`, { headers })),
    sendRepeatedly('write', () =>
      fetch(`${url}/api/v1/flights`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ date: '2025-05-03', fromId, toId }),
      }),
    ),
    sendRepeatedly('write', () =>
      fetch(`${url}/api/v1/preferences`, { method: 'PUT', headers, body: JSON.stringify({ distanceUnit: 'km' }) }),
    ),
  ]
  await wait(500)
  await watched()
  const args = ['import', file(), '--username', username, '--data-dir', dataDir]
  const { code, stdout, stderr } = await run([...PEAK_AT_END, dist('cli.js'), ...args])
  running = false
  await Promise.all(clients)
  expect([code, JSON.parse(stdout)]).toMatchObject([0, { rows: ROWS, created: ROWS, rejected: [] }])
  // No request fails or is rejected because the database is busy.
  expect([...statuses].sort()).toEqual([200, 201])
  const { longestDelayMs, longestWorkMs } = await watched()
  const p99 = (kind: 'read' | 'write') => Math.round(percentile(times[kind], 0.99))
  const max = (kind: 'read' | 'write') => Math.round(Math.max(...times[kind]))
  report(
    `paxlog import of ${ROWS} rows next to a server: reads p99 ${p99('read')} ms, max ${max('read')}; writes p99 ` +
      `${p99('write')} ms, max ${max('write')}; longest task of the event loop ${Math.round(longestWorkMs)} ms, longest delay ` +
      `${Math.round(longestDelayMs)} ms; peak memory of the command ${Math.round(peakIn(stderr))} MB`,
  )
})

test('paxlog import that is killed during a write leaves no flight and no file, and the next run imports everything', async () => {
  const dataDir = loadedFolder()
  ownerKey(dataDir)
  const args = [dist('cli.js'), 'import', file(), '--username', 'owner', '--data-dir', dataDir]
  const other = openDatabase(dataDir)
  limitStatements(other)
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
