import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const MB = 1024 * 1024

function textOf(folder: string, name: string): string | undefined {
  try {
    return readFileSync(join(folder, name), 'utf8')
  } catch {
    return undefined
  }
}

/**
 * The megabytes that all processes of this container may still take, or undefined where nothing limits them. Node's own
 * figure counts the copies of files in memory as taken, though they make room at once.
 */
export function freeInContainer(folder = '/sys/fs/cgroup'): number | undefined {
  const limit = Number(textOf(folder, 'memory.max'))
  const taken = Number(/^anon (\d+)$/m.exec(textOf(folder, 'memory.stat') ?? '')?.[1])
  return Number.isFinite(limit) && Number.isFinite(taken) ? Math.max(0, Math.floor((limit - taken) / MB)) : undefined
}
