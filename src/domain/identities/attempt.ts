import { createHmac } from 'node:crypto'
import { seal, unseal } from '../../lib/secret.ts'

export const ATTEMPT_SECONDS = 600

/** Omitted if longer, because it is sent to the provider and back. */
const MAX_NEXT_LENGTH = 1000
const MAX_STATE_LENGTH = 4096

export interface Attempt {
  purpose: 'sign-in' | 'link' | 'delete'
  next?: string | undefined
  userId?: string | undefined
  at: number
}

const deriveKey = (secret: string, purpose: string) => createHmac('sha256', secret).update(`oidc ${purpose}`).digest()

/** Stored only in `state`, encrypted with a secret of the cookie, so that visitors cannot fill the database. */
export function sealAttempt(secret: string, { next, ...attempt }: Attempt): string {
  const content = { ...attempt, ...(next !== undefined && next.length <= MAX_NEXT_LENGTH && { next }) }
  return seal(deriveKey(secret, 'state'), JSON.stringify(content)).toString('base64url')
}

export function openAttempt(secret: string, state: string, now: number): Attempt | undefined {
  const bytes = Buffer.from(state.length > MAX_STATE_LENGTH ? '' : state, 'base64url')
  // Rejects other base64url spellings of the same bytes, which would count as a different response.
  if (bytes.toString('base64url') !== state) return undefined
  let attempt: Attempt
  try {
    attempt = JSON.parse(unseal(deriveKey(secret, 'state'), bytes))
  } catch {
    return undefined
  }
  const age = now - attempt.at
  return age >= 0 && age <= ATTEMPT_SECONDS * 1000 ? attempt : undefined
}

export interface Secrets {
  state: string
  nonce: string
  verifier: string
}

export const secretsOf = (secret: string, state: string): Secrets => ({
  state,
  nonce: deriveKey(secret, `nonce ${state}`).toString('base64url'),
  verifier: deriveKey(secret, `verifier ${state}`).toString('base64url'),
})
