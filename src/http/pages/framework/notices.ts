import type { MemoryService } from '../../../domain/memory/service.ts'
import { digestText } from '../../../lib/secret.ts'

/** A sentence that the next page of a session shows once. */
export interface Notice {
  text: string
  /** The path of a form without fields that undoes the action. */
  undo?: string
  isWarning?: boolean
}

export function notices(memory: MemoryService) {
  const sizeOf = ({ text, undo = '' }: Notice) => 200 + 2 * (text.length + undo.length)
  const left = memory.store<Notice>('notices', { maxBytes: 512 * 1024, maxEntries: 10_000, sizeOf, ttlMs: 3_600_000 })
  return {
    leave: (sessionId: string, notice: Notice): void => left.set(digestText(sessionId), notice),
    take: (sessionId: string): Notice | undefined => left.take(digestText(sessionId)),
  }
}
