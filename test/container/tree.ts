import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync } from 'node:fs'
import { join } from 'node:path'
import { copies, dockerStages, type Stage } from '../support/dockerfile.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { root } from '../support/process.ts'

const [, final] = dockerStages() as [Stage, Stage]

/** Puts the tree of the final stage together; what comes from the build stage is taken from `built`. */
export function assemble(built: string): string {
  const folder = temporaryFolder()
  chmodSync(folder, 0o755)
  const tree = join(folder, 'app')
  for (const { sources, target, fromBuild } of copies(final)) {
    for (const source of sources) {
      const to = target.endsWith('/') ? join(tree, target, source) : join(tree, target)
      cpSync(join(fromBuild ? built : root, source), to, { recursive: true, dereference: true })
    }
  }
  execFileSync('chmod', ['-R', 'a-w,a+rX', tree])
  return tree
}
