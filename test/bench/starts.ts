import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../src/lib/port.ts'
import { median } from './load.ts'
import { memoryOf, startPaxlog } from './processes.ts'

const ROUNDS = 5

/** From the process to its first answer: with nothing there yet, and with everything in its place. */
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
  ]
}
