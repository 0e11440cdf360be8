import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder for what the test files of one run share. */
    runFolder: string
  }
}

let runFolder: string

/** Tests that start processes start the built program, as everybody else does. */
export function setup(project: TestProject): void {
  const root = resolve(import.meta.dirname, '../..')
  execFileSync(process.execPath, ['src/build/bundle.ts', '--if-changed'], { cwd: root, stdio: 'inherit' })
  runFolder = mkdtempSync(join(tmpdir(), 'paxlog-run-'))
  project.provide('runFolder', runFolder)
}

export function teardown(): void {
  rmSync(runFolder, { recursive: true, force: true })
}
