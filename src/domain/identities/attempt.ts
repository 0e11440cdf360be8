import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

export const ATTEMPT_SECONDS = 600

/** Omitted if longer, because it is sent to the provider and back. */
const MAX_NEXT_LENGTH = 1000
const MAX_STATE_LENGTH = 4096

export interface Attempt {
  purpose: 'sign-in' | 'link' | 'delete'
  next?: string | undefined
  /** The same user must be signed in at the end. */
  userId?: string | undefined
  at: number
}

const deriveKey = (secret: string, purpose: string) => createHmac('sha256', secret).update(`oidc ${purpose}`).digest()

/**
 * An attempt is stored only in `state`, encrypted with a secret from the browser's cookie. Visitors cannot fill the
 * database, and any process can read the response.
 */
export function sealAttempt(secret: string, { next, ...attempt }: Attempt): string {
  const content = { ...attempt, ...(next !== undefined && next.length <= MAX_NEXT_LENGTH && { next }) }
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', deriveKey(secret, 'state'), iv)
  const sealed = Buffer.concat([cipher.update(JSON.stringify(content)), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Undefined if the state belongs to another browser or has expired. */
export function openAttempt(secret: string, state: string, now: number): Attempt | undefined {
  const bytes = Buffer.from(state.length > MAX_STATE_LENGTH ? '' : state, 'base64url')
  // Rejects other base64url spellings of the same bytes, which would count as a different response.
  if (bytes.length <= 28 || bytes.toString('base64url') !== state) return undefined
  const decipher = createDecipheriv('aes-256-gcm', deriveKey(secret, 'state'), bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(12, 28))
  let attempt: Attempt
  try {
    attempt = JSON.parse(`${decipher.update(bytes.subarray(28), undefined, 'utf8')}${decipher.final('utf8')}`)
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

/** Derived, so that they need not be stored. */
export const secretsOf = (secret: string, state: string): Secrets => ({
  state,
  nonce: deriveKey(secret, `nonce ${state}`).toString('base64url'),
  verifier: deriveKey(secret, `verifier ${state}`).toString('base64url'),
})
