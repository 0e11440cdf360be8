import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { imageEnvironment } from '../support/image-environment.ts'
import { longImports, MAX_ROWS } from '../support/long-imports.ts'
import { measured } from '../support/measured.ts'
import { limitedNode } from '../support/memory-group.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { dist, loadedFolder, ownerKey } from '../support/process.ts'
import { watchedServer } from '../support/watched-server.ts'

const SAMPLE_MS = 20
const SHORT_ROWS = 1000

/** Memory of a process in MB that it shares with no other; 0 after its end. */
function ownMemory(pid: number): number {
  try {
    return Number(/RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

function fileOf(name: string, content: string): string {
  const path = join(temporaryFolder(), name)
  writeFileSync(path, content)
  return path
}

const csvOf = (rows: number) =>
  longImports
    .openflights()
    .split('\n')
    .slice(0, rows + 1)
    .join('\n')

const importing = (file: string) => ['import', file, '--username', 'owner']

const commands: Record<string, () => string[]> = {
  'health check': () => ['healthcheck'],
  backup: () => ['backup', join(temporaryFolder(), 'copy.db')],
  'list of users': () => ['user', 'list'],
  'update of reference data': () => ['reference', 'update'],
  [`import of ${SHORT_ROWS} rows of CSV`]: () => importing(fileOf('short.csv', csvOf(SHORT_ROWS))),
  [`import of ${MAX_ROWS} rows of CSV`]: () => importing(fileOf('long.csv', csvOf(MAX_ROWS))),
  [`import of a backup with ${MAX_ROWS} flights`]: () => importing(fileOf('backup.json', longImports.backup())),
}

test.each(Object.entries(commands))(
  'N16: a command fits into the smallest container beside an idle server: %s',
  async (name, argsOf) => {
    const dataDir = loadedFolder()
    ownerKey(dataDir)
    const program = limitedNode()
    const server = await watchedServer(dataDir, {}, { program })
    const child = spawn(program, [dist('cli.js'), ...argsOf()], {
      env: {
        ...imageEnvironment,
        PATH: process.env.PATH,
        DATA_DIR: dataDir,
        HOST: '127.0.0.1',
        PORT: new URL(server.url).port,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const exited = once(child, 'exit')
    let errors = ''
    child.stderr.on('data', (chunk) => {
      errors += chunk
    })
    let peak = 0
    while (child.exitCode === null && child.signalCode === null) {
      peak = Math.max(peak, ownMemory(child.pid!))
      await Promise.race([exited, pause(SAMPLE_MS)])
    }
    expect([child.exitCode, child.signalCode, errors]).toEqual([0, null, expect.anything()])
    expect((await fetch(`${server.url}/ready`)).status).toBe(200)
    measured(`${name}: ${Math.round(peak)} MB`)
  },
)
