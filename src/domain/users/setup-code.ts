import { DAY_MS } from '../../lib/dates.ts'
import { digest, newCode, sameDigest } from '../../lib/secret.ts'
import type { MemoryService } from '../memory/service.ts'

/** With spaces and hyphens. */
const MAX_TYPED_LENGTH = 32
const MAX_CHOSEN_LENGTH = 200
const KEPT_MS = 7 * DAY_MS

export type SetupCode = ReturnType<typeof setupCode>

/**
 * The code that setup asks for when it is not done on the server itself (contract 17.12): the operator's own, or one that
 * is generated at the start and logged. With PostgreSQL every process of the instance accepts a generated one for a week.
 */
export function setupCode(memory?: MemoryService, chosen?: string) {
  return chosen === undefined ? generatedCode(memory) : chosenCode(chosen)
}

/** Never shown or logged. */
function chosenCode(chosen: string) {
  const known = digest(chosen)
  return {
    announced: (): string | undefined => undefined,
    matches: (typed: string): boolean => typed.length <= MAX_CHOSEN_LENGTH && sameDigest(digest(typed.trim()), known),
  }
}

function generatedCode(memory?: MemoryService) {
  const [first, second] = [newCode(4), newCode(4)]
  const text = `${first}-${second}`
  const known = digest(first + second)
  /** Of all processes that have told one. */
  const told = memory?.kept<true>('setup codes', { bytes: 64 * 1024, most: 100, sizeOf: () => 128, keptMs: KEPT_MS })
  return {
    /** The text to log, valid at every process from now on; undefined for a code that the operator chose. */
    announced(): string | undefined {
      told?.set(first + second, true)
      return text
    },
    /** Case, hyphen and spaces do not matter. */
    matches(typed: string): boolean {
      if (typed.length > MAX_TYPED_LENGTH) return false
      const code = typed.toUpperCase().replace(/[\s-]/g, '')
      return sameDigest(digest(code), known) || told?.get(code) === true
    },
  }
}
