import { MissingScope } from '../../access/authorize.ts'
import type { Scope } from '../../access/scopes.ts'
import { Unauthorized } from '../../domain/credentials/authenticate.ts'
import type { AppError } from '../../lib/errors.ts'

interface Challenge {
  metadataUrl: string
  /** The scopes that follow from the path and query, for a caller without a valid credential. */
  scopes: () => readonly Scope[]
}

/** RFC 6750 allows neither quotes nor backslashes nor line breaks in a value. */
const quoted = (text: string) => `"${text.replace(/["\\]/g, "'").replace(/[^\x20-\x7e]/g, ' ')}"`

/** The WWW-Authenticate value of an error, if it has one (contract 8). */
export function challengeFor(error: AppError, { metadataUrl, scopes }: Challenge): string | undefined {
  const parts = [`resource_metadata=${quoted(metadataUrl)}`]
  const add = (needed: readonly Scope[], code?: string) => {
    if (needed.length > 0) parts.push(`scope=${quoted(needed.join(' '))}`)
    if (code) parts.push(`error=${quoted(code)}`, `error_description=${quoted(error.message)}`)
  }
  if (error instanceof MissingScope) add(error.needed, 'insufficient_scope')
  else if (error instanceof Unauthorized) add(scopes(), error.presented ? 'invalid_token' : undefined)
  else if (error.code === 'unauthorized') add(scopes(), 'invalid_token')
  else return undefined
  return `Bearer ${parts.join(', ')}`
}
