import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync } from 'node:fs'
import { join } from 'node:path'
import { temporaryFolder } from '../support/paxlog.ts'
import { root } from '../support/process.ts'

/** Runs the script with which the build stage collects the files of the image. */
export function buildImageFiles(folder = temporaryFolder()): string {
  const image = join(folder, 'image')
  execFileSync(process.execPath, ['src/build/image.ts', image], { cwd: root, stdio: 'inherit' })
  return image
}

/** Creates the program folder as it is in the container: read-only for all users. */
export function createProgramFolder(image = buildImageFiles()): string {
  const folder = temporaryFolder()
  chmodSync(folder, 0o755)
  const tree = join(folder, 'app')
  cpSync(image, tree, { recursive: true })
  execFileSync('chmod', ['-R', 'a-w,a+rX', tree])
  return tree
}
