import { DAY_MS } from '../../lib/dates.ts'
import { digest, newCode, sameDigest } from '../../lib/secret.ts'
import type { MemoryService } from '../memory/service.ts'

/** Longer than anybody writes it, with spaces and all. */
const LONGEST = 32
const KEPT_MS = 7 * DAY_MS

export type SetupCode = ReturnType<typeof setupCode>

/**
 * What whoever sets up an instance from another machine has read in its log (contract 16.12). It lives as long as the
 * process; with PostgreSQL every process that serves the instance takes it, for a week.
 */
export function setupCode(memory?: MemoryService) {
  const [first, second] = [newCode(4), newCode(4)]
  const text = `${first}-${second}`
  const known = digest(first + second)
  /** Of all processes that have told one. */
  const told = memory?.kept<true>('setup codes', { bytes: 64 * 1024, most: 100, sizeOf: () => 128, keptMs: KEPT_MS })
  return {
    text,
    /** The text, from now on good at every process. */
    announced(): string {
      told?.set(first + second, true)
      return text
    },
    /** Case, hyphen and spaces do not matter. */
    matches(typed: string): boolean {
      if (typed.length > LONGEST) return false
      const code = typed.toUpperCase().replace(/[\s-]/g, '')
      return sameDigest(digest(code), known) || told?.get(code) === true
    },
  }
}
