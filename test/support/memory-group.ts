import { chmodSync, existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from './paxlog.ts'

/** The smallest container that docs/hosting.md allows. */
export const MIN_MEMORY_MB = 256

const MEGABYTE = 2 ** 20

const HIERARCHIES = [
  ['/sys/fs/cgroup', 'memory.max'],
  ['/sys/fs/cgroup/memory', 'memory.limit_in_bytes'],
] as const

/** Creates a cgroup with a memory limit; undefined without the rights or the kernel support. The caller removes it. */
function memoryGroup(megabytes = MIN_MEMORY_MB): string | undefined {
  for (const [parent, limit] of HIERARCHIES) {
    const group = join(parent, `paxlog-test-${process.pid}-${Date.now()}`)
    try {
      mkdirSync(group)
      if (existsSync(join(group, limit))) {
        writeFileSync(join(group, limit), String(megabytes * MEGABYTE))
        return group
      }
      rmdirSync(group)
    } catch {
      // Try the other version of control groups.
    }
  }
  return undefined
}

/** A group can be removed when its last process has exited. */
async function removeGroup(group: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    try {
      return rmdirSync(group)
    } catch {
      await pause(100)
    }
  }
  rmdirSync(group)
}

/** Node collects less garbage without a memory group, so limits of resident memory are wider there. */
export const isLimited = (program: string) => program !== process.execPath

/** An executable that runs Node in a memory group for the rest of the test; plain Node if groups cannot be created. */
export function limitedNode(megabytes = MIN_MEMORY_MB): string {
  const group = memoryGroup(megabytes)
  if (!group) return process.execPath
  onTestFinished(() => removeGroup(group))
  const program = join(temporaryFolder(), 'limited-node')
  writeFileSync(program, `#!/bin/sh\necho $$ > ${group}/cgroup.procs\nexec '${process.execPath}' "$@"\n`)
  chmodSync(program, 0o755)
  return program
}
