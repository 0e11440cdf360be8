import { DAY_MS } from '../../lib/dates.ts'
import { digest, newCode, sameDigest } from '../../lib/secret.ts'
import { codePoints } from '../../lib/text.ts'
import type { MemoryService } from '../memory/service.ts'

const MAX_TYPED_LENGTH = 32
const MAX_CHOSEN_LENGTH = 200

export type SetupCode = ReturnType<typeof setupCode>

/** Setup from other machines needs a code of the operator or a generated one, valid for a week (contract 17.12). */
export function setupCode(memory?: MemoryService, chosen?: string) {
  return chosen === undefined ? generatedCode(memory) : chosenCode(chosen)
}

function chosenCode(chosen: string) {
  const known = digest(chosen)
  return {
    announce: (): string | undefined => undefined,
    matches: (typed: string): boolean =>
      codePoints(typed.trim()) <= MAX_CHOSEN_LENGTH && sameDigest(digest(typed.trim()), known),
  }
}

function generatedCode(memory?: MemoryService) {
  const [first, second] = [newCode(4), newCode(4)]
  const text = `${first}-${second}`
  const known = digest(first + second)
  const announcedCodes = memory?.store<true>('setup codes', {
    maxBytes: 64 * 1024,
    maxEntries: 100,
    sizeOf: () => 128,
    ttlMs: 7 * DAY_MS,
  })
  return {
    /** Returns the code to log and makes it valid for all processes. */
    announce(): string | undefined {
      announcedCodes?.set(first + second, true)
      return text
    },
    matches(typed: string): boolean {
      if (typed.length > MAX_TYPED_LENGTH) return false
      const code = typed.toUpperCase().replace(/[\s-]/g, '')
      return sameDigest(digest(code), known) || announcedCodes?.get(code) === true
    },
  }
}
