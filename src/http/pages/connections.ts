import type { Scope } from '../../access/scopes.ts'

/** An application that a user has approved, once for each resource it may call. */
export interface Connection {
  id: number
  name: string
  redirectHost: string
  resource: string
  scopes: readonly Scope[]
  /** Instants in ISO 8601. */
  approvedAt: string
  lastUsedAt: string | null
}

export interface Applications {
  /** Newest first. */
  list: (userId: string) => readonly Connection[]
  /** Ends the grant with its codes and tokens; an id of somebody else is `not_found`. */
  revoke: (userId: string, id: number) => void
}
