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

/** Milliseconds from the request to the first byte of its response. */
function firstByte(url: string, cookie: string): Promise<number> {
  const start = performance.now()
  return new Promise((done, fail) => {
    get(url, { agent: false, headers: { cookie } }, (answer) => {
      const took = performance.now() - start
      if (answer.statusCode !== 200) fail(new Error(`${url} returned ${answer.statusCode}.`))
      answer.resume().once('end', () => done(took))
    }).once('error', fail)
  })
}

/** Measures the first page of a process, before anything is cached or compiled. */
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
      `First byte of the first ${name} page of a process: ${median(times).toFixed(0)} ms, minimum ${Math.min(...times).toFixed(0)} ms`,
    )
  }
  rmSync(world.dataDir, { recursive: true })
  return lines
}

/** Measures starts with an empty and an existing data directory, and the first pages. */
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
    `First start, with 85 000 airports: ${median(first).toFixed(0)} ms`,
    `Start with existing data: ${median(again).toFixed(0)} ms, ${median(idle).toFixed(0)} MB idle`,
    ...(await measureFirstPages()),
  ]
}
