import { existsSync, statSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { otherConnection } from '../support/other-connection.ts'
import { serve } from '../support/process.ts'
import { report } from '../support/travel.ts'
import { BASE_URL, newLedgers } from './ledger.ts'
import { judge } from './verdict.ts'
import { connection } from './writers.ts'

const MB = 1024 ** 2
/** What src/db/open.ts lets the log keep, and what the plan promises. */
const [KEPT, PROMISED] = [32 * MB, 64 * MB]
const slow = process.env.PAXLOG_SLOW_TESTS

/** A server with one flight, whose long note is written over and over. */
async function growing() {
  const { dataDir, file, ledgers, fromId, toId } = await newLedgers(1)
  const server = await serve({ dataDir, env: { BASE_URL } })
  const { send, close } = connection(server.port, ledgers[0]!.key)
  const flight = (note: string) =>
    JSON.stringify({ date: '2025-01-01', fromId, toId, flightNumber: 'XX1', note: note.repeat(10_000) })
  const created = await send('POST', '/api/v1/flights', 'application/json', flight('0'))
  const path = `/api/v1/flights/${JSON.parse(created.text).data.id}`
  const bodies = [flight('1'), flight('2')]
  let written = 0
  async function write(): Promise<void> {
    const { status } = await send('PUT', path, 'application/json', bodies[written++ % 2])
    expect(status).toBe(200)
  }
  async function stop(): Promise<unknown> {
    close()
    server.child.kill('SIGTERM')
    return server.exited
  }
  const logSize = () => statSync(`${file}-wal`).size
  return { dataDir, file, ledgers, write, logSize, stop }
}

describe('K11: the log of the database', () => {
  test('grows while somebody reads an old state, and shrinks again once nobody does', {
    timeout: 600_000,
  }, async () => {
    const { dataDir, file, ledgers, write, logSize, stop } = await growing()
    const reader = otherConnection(dataDir)
    reader.exec('begin')
    reader.prepare('select count(*) from flights').get()
    let writes = 0
    for (; logSize() < KEPT + 8 * MB; writes++) await write()
    const most = logSize()
    reader.exec('commit')
    for (let more = 0; more < 3; more++) await write()
    const after = logSize()
    expect(after).toBeLessThanOrEqual(KEPT)
    for (let more = 0; more < 20; more++) await write()
    expect(logSize()).toBeLessThanOrEqual(KEPT)
    reader.close()
    expect(await stop()).toEqual({ code: 0, signal: null })
    expect(existsSync(`${file}-wal`)).toBe(false)
    expect(judge(file, ledgers).complaints).toEqual([])
    report(
      `K11: ${(most / MB).toFixed(1)} MB of log after ${writes} writes beside a reader, ${(after / MB).toFixed(1)} MB afterwards`,
    )
  })

  test.runIf(slow)(
    'stays below 64 MB for ten minutes beside readers that take their time',
    { timeout: 900_000 },
    async () => {
      const { dataDir, write, logSize, stop } = await growing()
      const reader = otherConnection(dataDir)
      const end = performance.now() + 600_000
      let [writes, most] = [0, 0]
      while (performance.now() < end) {
        reader.exec('begin')
        reader.prepare('select count(*) from flights').get()
        for (const until = performance.now() + 5_000; performance.now() < until; writes++) {
          await write()
          most = Math.max(most, logSize())
          await wait(20)
        }
        reader.exec('commit')
        await write()
      }
      expect(most).toBeLessThanOrEqual(PROMISED)
      reader.close()
      await stop()
      report(`K11: ten minutes, ${writes} writes, at most ${(most / MB).toFixed(1)} MB of log`)
    },
  )
})
