import { closeSync, fsyncSync, openSync } from 'node:fs'

function flush(path: string, flags: string): void {
  const handle = openSync(path, flags)
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** Makes the content of a file durable. Its name needs a flush of the folder. */
export const flushFile = (path: string) => flush(path, 'r+')

const UNSUPPORTED = ['EACCES', 'EINVAL', 'ENOTSUP']

export function flushFolder(path: string): void {
  try {
    flush(path, 'r')
  } catch (error) {
    if (!UNSUPPORTED.includes((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
}
