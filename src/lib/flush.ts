import { closeSync, fsyncSync, openSync } from 'node:fs'

function flush(path: string, flags: string): void {
  const handle = openSync(path, flags)
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Returns once the content of a file would survive a power cut; its name does so after a flush of the folder. */
export const flushFile = (path: string) => flush(path, 'r+')

/** A folder that may be written to, but not listed, and file systems that know no such thing. */
const IMPOSSIBLE = ['EACCES', 'EINVAL', 'ENOTSUP']

/** Returns once the names in a folder would survive a power cut, where the system can be asked for that. */
export function flushFolder(path: string): void {
  try {
    flush(path, 'r')
  } catch (error) {
    if (!IMPOSSIBLE.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
