import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto'

/** How long somebody may take at the provider. */
export const ATTEMPT_SECONDS = 600

/** Longer ones are left out: they have to travel to the provider and back. */
const LONGEST_NEXT = 1000
const LONGEST_STATE = 4096

export interface Attempt {
  purpose: 'sign-in' | 'link' | 'delete'
  /** Where to go afterwards. */
  next?: string | undefined
  /** Who was signed in when it began; the same must be signed in when it ends. */
  userId?: string | undefined
  at: number
}

const derived = (secret: string, purpose: string) => createHmac('sha256', secret).update(`oidc ${purpose}`).digest()

/**
 * An attempt is kept nowhere but in `state`, sealed with a secret that only the browser has in its cookie: visitors can
 * begin as many as they like without filling anything, and whichever process gets the answer can read it.
 */
export function sealAttempt(secret: string, { next, ...attempt }: Attempt): string {
  const content = { ...attempt, ...(next !== undefined && next.length <= LONGEST_NEXT && { next }) }
  const start = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', derived(secret, 'state'), start)
  const sealed = Buffer.concat([cipher.update(JSON.stringify(content)), cipher.final()])
  return Buffer.concat([start, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Undefined for a state that this browser did not begin with, or too long ago. */
export function openAttempt(secret: string, state: string, now: number): Attempt | undefined {
  const bytes = Buffer.from(state.length > LONGEST_STATE ? '' : state, 'base64url')
  // One spelling only: another text for the same bytes would count as another answer.
  if (bytes.length <= 28 || bytes.toString('base64url') !== state) return undefined
  const decipher = createDecipheriv('aes-256-gcm', derived(secret, 'state'), bytes.subarray(0, 12))
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
  /** PKCE: only who began can exchange the code. */
  verifier: string
}

/** Made of the browser's secret, so that they need not be kept either. */
export const secretsOf = (secret: string, state: string): Secrets => ({
  state,
  nonce: derived(secret, `nonce ${state}`).toString('base64url'),
  verifier: derived(secret, `verifier ${state}`).toString('base64url'),
})
