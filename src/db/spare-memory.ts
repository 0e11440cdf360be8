import type { Db } from './open.ts'

/** For a command that works on much data beside a server: a quarter of what a server keeps of the database. */
export function spareMemory({ $client }: Db): void {
  $client.pragma('cache_size = -4000')
}
