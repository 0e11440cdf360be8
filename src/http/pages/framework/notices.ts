import type { MemoryService } from '../../../domain/memory/service.ts'
import { digestText } from '../../../lib/secret.ts'

/** A sentence that the next page of a session shows once. */
export function notices(memory: MemoryService) {
  const sizeOf = (text: string) => 200 + 2 * text.length
  const left = memory.store<string>('notices', { maxBytes: 512 * 1024, maxEntries: 10_000, sizeOf, ttlMs: 3_600_000 })
  return {
    leave: (sessionId: string, text: string): void => left.set(digestText(sessionId), text),
    take: (sessionId: string): string | undefined => left.take(digestText(sessionId)),
  }
}
