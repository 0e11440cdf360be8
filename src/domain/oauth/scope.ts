import { inCatalogueOrder, mcpDefaultScopes, type Scope, scopeNames } from '../../access/scopes.ts'
import { OAuthError } from './errors.ts'
import type { ResourceName } from './resource.ts'

const known: ReadonlySet<string> = new Set(scopeNames)

export function parseScope(text: string): Scope[] {
  const names = text.split(' ')
  const unknown = names.find((name) => !known.has(name))
  if (unknown !== undefined) throw new OAuthError('invalid_scope', `The scope ${unknown || '(empty)'} is not known.`)
  return inCatalogueOrder(names)
}

/** The REST API has no default scopes; MCP has (contract 7.4, step 7). */
export function requestedScopes(text: string | undefined, resource: ResourceName): Scope[] {
  if (text !== undefined) return parseScope(text)
  if (resource === 'mcp') return [...mcpDefaultScopes]
  throw new OAuthError('invalid_scope', 'Name at least one scope; the REST API has no default scopes.')
}

export const intersectScopes = (scopes: readonly string[], granted: readonly string[]): Scope[] =>
  inCatalogueOrder(scopes.filter((scope) => granted.includes(scope)))
