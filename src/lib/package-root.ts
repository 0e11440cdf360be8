import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

function findPackageRoot(from: string): string {
  return existsSync(join(from, 'package.json')) ? from : findPackageRoot(dirname(from))
}

/** The program runs from src in tests and from dist when built; data files have fixed paths below this folder. */
export const packageRoot = findPackageRoot(import.meta.dirname)
