import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../support/paxlog.ts'
import { dist, run, serve } from '../support/process.ts'
import { straceArgs } from './system-calls.ts'

export const STRACE = '/usr/bin/strace'

/** The reason why processes cannot be traced on this machine, or false. */
export const tracingMissing =
  spawnSync(STRACE, [...straceArgs('/dev/null'), 'true']).status === 0
    ? false
    : 'strace is missing or not permitted here'

/** Runs the server, creates a backup for each line of stdin, and stops the server at the end of stdin. */
const SCRIPT = `"$NODE" "$0" & server=$!
while read -r file; do "$NODE" "$CLI" backup "$file" || echo '"no backup"'; done
kill "$server"; wait "$server"`

/** Starts a server under strace. Backups are part of the same trace. */
export async function tracedServer(dataDir: string, more: Record<string, string> = {}) {
  const trace = join(temporaryFolder(), 'trace')
  const env = { NODE: process.execPath, CLI: dist('cli.js'), LOG_LEVEL: 'info', ...more }
  const server = await serve({ dataDir, env, program: STRACE, before: [...straceArgs(trace), 'sh', '-c', SCRIPT] })
  const { child, port, exited, errorText, logText } = server
  async function stop(): Promise<void> {
    child.stdin!.end()
    const { code } = await exited
    if (code !== 0) throw new Error(`The server ended with ${code}: ${logText()}${errorText()}`)
  }
  // If strace ended first, the server would keep running.
  onTestFinished(() => {
    child.stdin!.end()
    return exited.then(() => undefined)
  })

  async function backUp(file: string): Promise<void> {
    child.stdin!.write(`${file}\n`)
    for (; !logText().includes(`{"file":"${file}"`); await wait(10))
      if (logText().includes('"no backup"')) throw new Error(`The backup failed: ${errorText()}`)
  }
  return { port, trace, stop, backUp }
}

/** Runs a command under strace and returns the trace. System calls in `failing` return EPERM. */
export async function tracedCommand(args: readonly string[], input: string, failing = ''): Promise<string> {
  const trace = join(temporaryFolder(), 'trace')
  const injection = failing ? ['-e', `inject=${failing}:error=EPERM`] : []
  const { code, stderr } = await run([...straceArgs(trace), ...injection, process.execPath, dist('cli.js'), ...args], {
    program: STRACE,
    input,
  })
  if (code !== 0) throw new Error(`The command ended with ${code}: ${stderr}`)
  return trace
}
