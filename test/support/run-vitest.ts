import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

/** The parts of vitest's JSON report that are used here. */
export interface FileReport {
  name: string
  /** Why the file could not run, or empty. */
  message: string
  assertionResults: readonly TestReport[]
}

interface TestReport {
  fullName: string
  status: string
  failureMessages: readonly string[]
  meta: { measured?: readonly string[] }
}

interface Options {
  args: readonly string[]
  env?: Record<string, string> | undefined
  timeoutMs?: number | undefined
}

/** Runs vitest in a process of its own. `reports` is empty if it did not finish. */
export function runVitest({ args, env, timeoutMs }: Options) {
  const folder = mkdtempSync(join(tmpdir(), 'paxlog-report-'))
  const report = join(folder, 'report.json')
  const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', 'test/vitest.config.ts']
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const { status, error } = spawnSync(process.execPath, [...vitest, '--passWithNoTests', ...reporters, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: 'inherit',
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  })
  const reports: FileReport[] = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')).testResults : []
  rmSync(folder, { recursive: true })
  const isTimeout = (error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT'
  if (error && !isTimeout) throw error
  return { passed: status === 0, isTimeout, reports }
}
