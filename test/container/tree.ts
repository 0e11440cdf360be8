import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/paxlog.ts'
import { root } from '../support/process.ts'

/** What the build stage lays out for the image, made by the same program from the files here. */
export function layOut(folder = temporaryFolder()): string {
  const image = join(folder, 'image')
  execFileSync(process.execPath, ['src/build/image.ts', image], { cwd: root, stdio: 'inherit' })
  return image
}

/** The folder of the program as it is in a container: whole, and read-only for everybody. */
export function assemble(image = layOut()): string {
  const folder = temporaryFolder()
  chmodSync(folder, 0o755)
  const tree = join(folder, 'app')
  cpSync(image, tree, { recursive: true })
  execFileSync('chmod', ['-R', 'a-w,a+rX', tree])
  return tree
}
