import { digest, newCode, sameDigest } from '../../lib/secret.ts'

/** Longer than anybody writes it, with spaces and all. */
const LONGEST = 32

export type SetupCode = ReturnType<typeof setupCode>

/**
 * What whoever sets up an instance from another machine has read in its log (contract 16.12). It lives as long as the
 * process, and nowhere else.
 */
export function setupCode() {
  const [first, second] = [newCode(4), newCode(4)]
  const known = digest(first + second)
  return {
    text: `${first}-${second}`,
    /** Case, hyphen and spaces do not matter. */
    matches: (typed: string): boolean =>
      typed.length <= LONGEST && sameDigest(digest(typed.toUpperCase().replace(/[\s-]/g, '')), known),
  }
}
