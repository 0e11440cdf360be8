import { hash } from 'node:crypto'

/** RFC 7636 section 4.2: S256 gives 43 characters. */
export const isChallenge = (text: string) => /^[\w-]{43}$/.test(text)

/** RFC 7636 section 4.1. */
export const isVerifier = (text: string) => /^[A-Za-z0-9._~-]{43,128}$/.test(text)

/** RFC 7636 section 4.6. Both are digests, so timing reveals nothing. */
export const matchesChallenge = (verifier: string, challenge: string) =>
  hash('sha256', verifier, 'base64url') === challenge
