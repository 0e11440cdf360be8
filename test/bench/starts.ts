import { mkdtempSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../src/lib/port.ts'
import { median } from './load.ts'
import { memoryOf, startPaxlog } from './processes.ts'
import { buildWorld } from './world.ts'

const ROUNDS = 5
const FLIGHTS = 1000

/** From the request to the first byte of its answer. */
function firstByte(url: string, cookie: string): Promise<number> {
  const start = performance.now()
  return new Promise((done, fail) => {
    get(url, { agent: false, headers: { cookie } }, (answer) => {
      const took = performance.now() - start
      if (answer.statusCode !== 200) fail(new Error(`${url} answered ${answer.statusCode}.`))
      answer.resume().once('end', () => done(took))
    }).once('error', fail)
  })
}

/** The first page that a process sends, map and all: nothing is drawn, kept or compiled yet. */
async function measureFirstPages(): Promise<string[]> {
  const world = await buildWorld(FLIGHTS)
  const cookie = `paxlog=${world.session}`
  const lines: string[] = []
  for (const [name, path] of Object.entries({ home: '/', share: `/share/${world.share}` })) {
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const server = await startPaxlog({ dataDir: world.dataDir, port: await freePort('127.0.0.1') })
      await pause(1000)
      times.push(await firstByte(server.origin + path, cookie))
      await server.stop()
    }
    lines.push(
      `first byte of a first ${name}: ${median(times).toFixed(0)} ms, at best ${Math.min(...times).toFixed(0)}`,
    )
  }
  rmSync(world.dataDir, { recursive: true })
  return lines
}

/** From the process to its first answer: with nothing there yet, and with everything in its place; then its first pages. */
export async function measureStarts(): Promise<string[]> {
  const [first, again, idle]: [number[], number[], number[]] = [[], [], []]
  for (let round = 0; round < ROUNDS; round++) {
    const dataDir = mkdtempSync(join(tmpdir(), 'paxlog-start-'))
    for (const times of [first, again]) {
      const server = await startPaxlog({ dataDir, port: await freePort('127.0.0.1') })
      times.push(server.startMs)
      if (times === again) {
        await pause(1000)
        idle.push(memoryOf(server.pid).now)
      }
      await server.stop()
    }
    rmSync(dataDir, { recursive: true })
  }
  return [
    `first start with reference data: ${median(first).toFixed(0)} ms`,
    `start with existing data: ${median(again).toFixed(0)} ms, ${median(idle).toFixed(0)} MB idle`,
    ...(await measureFirstPages()),
  ]
}
