import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** Once before all tests: some start the built program, and two files must not build it at the same time. */
export function setup(): void {
  const root = join(import.meta.dirname, '../..')
  execFileSync(process.execPath, ['src/bundle.ts', '--if-changed'], { cwd: root, stdio: 'inherit' })
}
