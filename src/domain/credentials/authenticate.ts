import { LRUCache } from 'lru-cache'
import { accountPermissions, type Caller, type Credential, credential } from '../../access/caller.ts'
import { inCatalogueOrder, usableScopes } from '../../access/scopes.ts'
import { dataCache } from '../../db/cache.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import { digestText, isApiKey, looksLikeApiKey } from '../../lib/secret.ts'
import type { OAuthService } from '../oauth/service.ts'
import type { AccessClaims } from '../oauth/tokens.ts'
import { type CredentialRow, credentialStore, type Use } from './store.ts'

const MAX_CREDENTIAL_LENGTH = 4096

/** `presented` decides whether the challenge contains invalid_token. */
export class Unauthorized extends AppError {
  readonly presented: boolean

  constructor(message: string, presented: boolean) {
    super('unauthorized', message)
    this.presented = presented
  }
}

/** API keys are valid for all surfaces, an access token only for its audience. */
export type Surface = 'v1' | 'mcp' | 'legacy'

const REPEATED = new Unauthorized('Send exactly one Authorization header.', true)

// Created once, because a stack trace for each guessed key is expensive.
const anyCredential = {
  missing: new Unauthorized('Send a credential as "Authorization: Bearer <API key or access token>".', false),
  otherScheme: new Unauthorized('Only the Bearer scheme is accepted: "Authorization: Bearer <credential>".', false),
  malformed: new Unauthorized('The bearer credential is malformed.', true),
  unknown: new Unauthorized('The credential is unknown, expired or revoked.', true),
}
const apiKeyOnly: typeof anyCredential = {
  missing: new Unauthorized('Send an API key as "Authorization: Bearer <API key>".', false),
  otherScheme: new Unauthorized('Only the Bearer scheme is accepted: "Authorization: Bearer <API key>".', false),
  malformed: new Unauthorized('The API key is malformed.', true),
  unknown: new Unauthorized('The API key is unknown or was deleted.', true),
}

const errorsFor: Record<Surface, typeof anyCredential> = { v1: anyCredential, mcp: anyCredential, legacy: apiKeyOnly }

/** Contract 1.5. */
export function bearerOf(headers: readonly string[], surface: Surface): string {
  const [header] = headers
  const errors = errorsFor[surface]
  if (header === undefined) throw errors.missing
  if (headers.length > 1) throw REPEATED
  const found = /^bearer[ \t]+(\S+)$/i.exec(header)?.[1]
  if (found && found.length <= MAX_CREDENTIAL_LENGTH) return found
  throw /^bearer(?:[ \t]|$)/i.test(header) ? errors.malformed : errors.otherScheme
}

/** Accounts share few roles, and keys share few lists of scopes. */
function memoize<Made extends object>(work: (listed: readonly string[]) => Made): (listed: readonly string[]) => Made {
  const known = new LRUCache<string, Made, readonly string[]>({
    max: 200,
    memoMethod: (_key, _stale, { context }) => work(context),
  })
  return (listed) => known.memo(JSON.stringify(listed), { context: listed })
}

const rolePermissions = memoize((listed) => accountPermissions(false, listed))
const ownerPermissions = accountPermissions(true, [])
const grantOf = memoize((listed) => {
  const scopes = inCatalogueOrder(listed)
  return { scopes, usable: usableScopes(scopes) }
})

function toCaller(row: Omit<CredentialRow, 'legacyObjects'>, surface: Surface, credential: Credential): Caller {
  const { userId, username, displayName, isOwner, roleId, roleName, permissions } = row
  return {
    userId,
    username,
    displayName,
    role: roleId === null ? null : { id: roleId, name: roleName! },
    isOwner,
    permissions: isOwner ? ownerPermissions : rolePermissions(permissions ?? []),
    credential,
    via: { surface, credential: row.name, address: null },
  }
}

const MINUTE_MS = 60_000

/** Records the last use of each key or grant to the minute, with at most one write per minute. */
function lastUse(save: (uses: readonly Use[]) => Promise<void>, clock: Clock) {
  const written = new Map<number, number>()
  const pending = new Map<number, number>()
  let timer: NodeJS.Timeout | undefined

  async function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    if (pending.size === 0) return
    const batch = [...pending]
    pending.clear()
    await save(batch)
  }

  function note(id: number): void {
    const minute = Math.floor(clock() / MINUTE_MS) * MINUTE_MS
    if ((written.get(id) ?? 0) === minute) return
    written.set(id, minute)
    pending.set(id, minute)
    // A full or read-only disk must not end the server; the next minute tries again.
    timer ??= setTimeout(() => void flush().catch(() => undefined), 1_000).unref()
  }

  return { note, flush }
}

export interface Authenticate {
  (bearer: string, surface: Surface): Caller | Promise<Caller>
  holds: (caller: Caller) => boolean
}

interface CachedCaller {
  caller: Caller
  recordUse: () => void
}

export function authenticator({ db, clock, oauth }: { db: Db; clock: Clock; oauth: OAuthService }) {
  const store = credentialStore(db)
  const keyUse = lastUse((uses) => write(db, 'uncached', () => store.touchKeys(uses)), clock)
  const grantUse = lastUse((uses) => write(db, 'uncached', () => store.touchGrants(uses)), clock)
  // Invalidated by every write except to flights, so that changes take effect on the next request.
  const cache = dataCache<CachedCaller>(db, {
    part: 'credentials',
    maxBytes: 8 * 1024 * 1024,
    sizeOf: () => 1024,
  })

  /** A caller contains its surface, so the cache key does too. */
  const cacheKey = (name: string, surface: string) => `${surface} ${name}`

  function findCached(name: string, surface: Surface, find: () => CachedCaller | undefined): CachedCaller | undefined {
    const version = cache.version()
    const cached = cache.getForVersion(version, cacheKey(name, surface))
    if (cached) return cached
    const found = find()
    if (!found) return undefined
    cache.set(cacheKey(name, surface), found, version)
    const { kind, id } = found.caller.credential
    // A token may expire without a write, so `holds` finds only keys.
    if (kind === 'apiKey') cache.set(cacheKey(id, surface), found, version)
    return found
  }

  function byKey(key: string, surface: Surface): CachedCaller | undefined {
    const name = digestText(key)
    return findCached(name, surface, () => {
      const row = isApiKey(key) ? store.findByHash(Buffer.from(name, 'base64')) : undefined
      if (!row) return undefined
      const { scopes, usable } = grantOf(row.scopes)
      const legacyObjects = Boolean(row.legacyObjects)
      const apiKey = credential('apiKey', `key ${row.id}`, scopes, { legacyObjects, usable })
      const caller = toCaller(row, surface, apiKey)
      return { caller, recordUse: () => keyUse.note(row.id) }
    })
  }

  function byClaims(claims: AccessClaims | undefined, surface: Surface): CachedCaller | undefined {
    if (!claims || surface === 'legacy' || claims.audience !== oauth.resources.urls[surface]) return undefined
    return findCached(claims.jti, surface, () => {
      const row = store.findByToken(claims.jti)
      if (!row) return undefined
      const { scopes, usable } = grantOf(claims.scopes.filter((scope) => row.scopes.includes(scope)))
      const caller = toCaller(row, surface, credential('oauth', `family ${row.familyId}`, scopes, { usable }))
      return { caller, recordUse: () => grantUse.note(row.id) }
    })
  }

  function requireCaller(known: CachedCaller | undefined, surface: Surface): Caller {
    if (!known) throw errorsFor[surface].unknown
    known.recordUse()
    return known.caller
  }

  function authenticate(bearer: string, surface: Surface): Caller | Promise<Caller> {
    if (looksLikeApiKey(bearer)) return requireCaller(byKey(bearer, surface), surface)
    const claims = oauth.tokens.verify(bearer)
    return claims instanceof Promise
      ? claims.then((verified) => requireCaller(byClaims(verified, surface), surface))
      : requireCaller(byClaims(claims, surface), surface)
  }

  const holds = (caller: Caller): boolean =>
    cache.get(cacheKey(caller.credential.id, caller.via.surface))?.caller === caller

  async function close(): Promise<void> {
    await Promise.all([keyUse.flush(), grantUse.flush()])
  }

  return { authenticate: Object.assign(authenticate, { holds }) satisfies Authenticate, close }
}
