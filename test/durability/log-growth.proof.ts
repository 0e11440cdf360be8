import { existsSync, statSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { otherConnection } from '../support/other-connection.ts'
import { serve } from '../support/process.ts'
import { report } from '../support/travel.ts'
import { BASE_URL, newLedgers } from './ledger.ts'
import { compareWithLedgers } from './verdict.ts'
import { connection } from './writers.ts'

const MB = 1024 ** 2
/** The size limit of src/db/sqlite for the log, and the documented maximum. */
const [SIZE_LIMIT, DOCUMENTED_MAX] = [32 * MB, 64 * MB]
const slow = process.env.PAXLOG_SLOW_TESTS

/** Starts a server with one flight whose long note can be rewritten. */
async function startServer() {
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

describe('K11: the write-ahead log', () => {
  test('grows during a long read transaction and shrinks after it', {
    timeout: 600_000,
  }, async () => {
    const { dataDir, file, ledgers, write, logSize, stop } = await startServer()
    const reader = otherConnection(dataDir)
    reader.exec('begin')
    reader.prepare('select count(*) from flights').get()
    let writes = 0
    for (; logSize() < SIZE_LIMIT + 8 * MB; writes++) await write()
    const maxSize = logSize()
    reader.exec('commit')
    for (let more = 0; more < 3; more++) await write()
    const after = logSize()
    expect(after).toBeLessThanOrEqual(SIZE_LIMIT)
    for (let more = 0; more < 20; more++) await write()
    expect(logSize()).toBeLessThanOrEqual(SIZE_LIMIT)
    reader.close()
    expect(await stop()).toEqual({ code: 0, signal: null })
    expect(existsSync(`${file}-wal`)).toBe(false)
    expect(compareWithLedgers(file, ledgers).problems).toEqual([])
    report(
      `K11: ${(maxSize / MB).toFixed(1)} MB of log after ${writes} writes during a read transaction, ${(after / MB).toFixed(1)} MB afterwards`,
    )
  })

  test.runIf(slow)('stays below 64 MB for ten minutes with long read transactions', { timeout: 900_000 }, async () => {
    const { dataDir, write, logSize, stop } = await startServer()
    const reader = otherConnection(dataDir)
    const end = performance.now() + 600_000
    let [writes, maxSize] = [0, 0]
    while (performance.now() < end) {
      reader.exec('begin')
      reader.prepare('select count(*) from flights').get()
      for (const until = performance.now() + 5_000; performance.now() < until; writes++) {
        await write()
        maxSize = Math.max(maxSize, logSize())
        await wait(20)
      }
      reader.exec('commit')
      await write()
    }
    expect(maxSize).toBeLessThanOrEqual(DOCUMENTED_MAX)
    reader.close()
    await stop()
    report(`K11: ten minutes, ${writes} writes, log of at most ${(maxSize / MB).toFixed(1)} MB`)
  })
})
