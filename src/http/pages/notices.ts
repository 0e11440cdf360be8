import { lru } from '../../lib/lru.ts'
import { digestText } from '../../lib/secret.ts'

export type Notices = ReturnType<typeof notices>

/** One sentence that the next page of a session shows, once: what the form before it has done. */
export function notices() {
  const left = lru<string>(512 * 1024, (text) => 200 + 2 * text.length)
  return {
    leave: (sessionId: string, text: string): void => left.set(digestText(sessionId), text),
    take(sessionId: string): string | undefined {
      const name = digestText(sessionId)
      const text = left.get(name)
      if (text) left.set(name, '')
      return text || undefined
    },
  }
}
