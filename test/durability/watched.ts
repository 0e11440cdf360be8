import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../support/paxlog.ts'
import { dist, run, serve } from '../support/process.ts'
import { watching } from './system-calls.ts'

export const STRACE = '/usr/bin/strace'

/** Says why, where nobody can look over the shoulder of a process. */
export const watchingIsImpossible =
  spawnSync(STRACE, [...watching('/dev/null'), 'true']).status === 0
    ? false
    : 'no process can be watched here, or not by strace'

/** Runs the server, beside it a backup for every line that it reads, and stops the server where the lines end. */
const SCRIPT = `"$NODE" "$0" & server=$!
while read -r file; do "$NODE" "$CLI" backup "$file" || echo '"no backup"'; done
kill "$server"; wait "$server"`

/** A server of which every system call is known afterwards, and backups that are made in the same trace. */
export async function watchedServer(dataDir: string, more: Record<string, string> = {}) {
  const trace = join(temporaryFolder(), 'trace')
  const env = { NODE: process.execPath, CLI: dist('cli.js'), LOG_LEVEL: 'info', ...more }
  const server = await serve({ dataDir, env, program: STRACE, before: [...watching(trace), 'sh', '-c', SCRIPT] })
  const { child, port, exited, errorText, logText } = server
  async function stop(): Promise<void> {
    child.stdin!.end()
    const { code } = await exited
    if (code !== 0) throw new Error(`The server ended with ${code}: ${logText()}${errorText()}`)
  }
  // Whoever watches must not go first: what it has started would live on.
  onTestFinished(() => {
    child.stdin!.end()
    return exited.then(() => undefined)
  })

  async function backUp(file: string): Promise<void> {
    child.stdin!.write(`${file}\n`)
    for (; !logText().includes(`{"file":"${file}"`); await wait(10))
      if (logText().includes('"no backup"')) throw new Error(`There is no backup: ${errorText()}`)
  }
  return { port, trace, stop, backUp }
}

/** A command of which every system call is known afterwards; `impossible` names those that the system refuses. */
export async function watchedCommand(args: readonly string[], input: string, impossible = ''): Promise<string> {
  const trace = join(temporaryFolder(), 'trace')
  const refused = impossible ? ['-e', `inject=${impossible}:error=EPERM`] : []
  const { code, stderr } = await run([...watching(trace), ...refused, process.execPath, dist('cli.js'), ...args], {
    program: STRACE,
    input,
  })
  if (code !== 0) throw new Error(`The command ended with ${code}: ${stderr}`)
  return trace
}
