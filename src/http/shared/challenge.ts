import { MissingScope } from '../../access/authorize.ts'
import type { Scope } from '../../access/scopes.ts'
import { Unauthorized } from '../../domain/credentials/authenticate.ts'
import type { AppError } from '../../lib/errors.ts'

interface Challenge {
  /** Where the protected-resource metadata of this surface is. */
  metadataUrl: string
  /** What the call needs as far as its path and query tell, for a caller who is not known yet. */
  scopes: () => readonly Scope[]
}

/** RFC 6750 allows neither quotes nor backslashes nor line breaks in a value; nearly every text is free of them. */
const quoted = (text: string) =>
  /^[ !#-[\]-~]*$/.test(text) ? `"${text}"` : `"${text.replace(/["\\]/g, "'").replace(/[^\x20-\x7e]/g, ' ')}"`

/** The WWW-Authenticate value of a refusal, or undefined when it carries none (contract 8). */
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
