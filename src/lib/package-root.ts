import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

function folderOfPackage(from: string): string {
  return existsSync(join(from, 'package.json')) ? from : folderOfPackage(dirname(from))
}

/** The program runs from src in tests and from one file in dist when built; its data lies at fixed places below this. */
export const packageRoot = folderOfPackage(import.meta.dirname)
