import { LRUCache } from 'lru-cache'
import { accountPermissions, type Caller, type Credential, credential } from '../../access/caller.ts'
import { isPermission } from '../../access/permissions.ts'
import { inCatalogueOrder, usableScopes } from '../../access/scopes.ts'
import { dataCache } from '../../db/data-cache.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import { digestText, isApiKey, looksLikeApiKey } from '../../lib/secret.ts'
import type { AccessClaims } from '../oauth/access-token.ts'
import type { OAuthService } from '../oauth/service.ts'
import { lastUse } from './last-use.ts'
import { type CredentialRow, credentialStore } from './store.ts'

const MAX_CACHE_BYTES = 8 * 1024 * 1024
/** A caller, whose permissions and scopes are shared with others. */
const BYTES_OF_CALLER = 1024
/** Of lists of scopes or permissions that are known at a time, each with some kilobytes. */
const MOST_LISTS = 200
const LONGEST_CREDENTIAL = 4096

/** The 401 of every surface; `presented` decides whether the challenge says invalid_token. */
export class Unauthorized extends AppError {
  readonly presented: boolean

  constructor(message: string, presented: boolean) {
    super('unauthorized', message)
    this.presented = presented
  }
}

/** What a credential is shown to. API keys open all of them, an access token only the one it was issued for. */
export type Surface = 'v1' | 'mcp' | 'legacy'

const REPEATED = new Unauthorized('Send exactly one Authorization header.', true)

// Made once: whoever guesses keys must not cost the server a stack trace for each guess.
const anyCredential = {
  missing: new Unauthorized('Send a credential as "Authorization: Bearer <API key or access token>".', false),
  otherScheme: new Unauthorized('Only the Bearer scheme is accepted: "Authorization: Bearer <credential>".', false),
  malformed: new Unauthorized('The bearer credential is malformed.', true),
  unknown: new Unauthorized('The credential is unknown, expired or revoked.', true),
}
const keyAlone: typeof anyCredential = {
  missing: new Unauthorized('Send an API key as "Authorization: Bearer <API key>".', false),
  otherScheme: new Unauthorized('Only the Bearer scheme is accepted: "Authorization: Bearer <API key>".', false),
  malformed: new Unauthorized('The API key is malformed.', true),
  unknown: new Unauthorized('The API key is unknown or was deleted.', true),
}

const refusalsOn: Record<Surface, typeof anyCredential> = { v1: anyCredential, mcp: anyCredential, legacy: keyAlone }

/** The credential of a request, read exactly as contract 1.5 says. */
export function bearerOf(headers: readonly string[], surface: Surface): string {
  const [header] = headers
  const refusals = refusalsOn[surface]
  if (header === undefined) throw refusals.missing
  if (headers.length > 1) throw REPEATED
  const found = /^bearer[ \t]+(\S+)$/i.exec(header)?.[1]
  if (found && found.length <= LONGEST_CREDENTIAL) return found
  throw /^bearer(?:[ \t]|$)/i.test(header) ? refusals.malformed : refusals.otherScheme
}

/** Most accounts have one of few roles, and most keys one of few lists of scopes: what follows from each is worked out once. */
function workedOut<Made extends object>(
  work: (listed: readonly string[]) => Made,
): (listed: readonly string[]) => Made {
  const known = new LRUCache<string, Made, readonly string[]>({
    max: MOST_LISTS,
    memoMethod: (_key, _stale, { context }) => work(context),
  })
  return (listed) => known.memo(JSON.stringify(listed), { context: listed })
}

const rolePermissions = workedOut((listed) => accountPermissions(false, listed.filter(isPermission)))
const ownerPermissions = accountPermissions(true, [])
const grantOf = workedOut((listed) => {
  const scopes = inCatalogueOrder(listed)
  return { scopes, usable: usableScopes(scopes) }
})

function toCaller(
  row: Omit<CredentialRow, 'legacyObjects'>,
  surface: Surface,
  describe: (id: number, scopes: string[]) => Credential,
): Caller {
  const { id, scopes, userId, username, displayName, isOwner, roleId, roleName, permissions } = row
  return {
    userId,
    username,
    displayName,
    role: roleId === null ? null : { id: roleId, name: roleName! },
    isOwner,
    permissions: isOwner ? ownerPermissions : rolePermissions(permissions ?? []),
    credential: describe(id, scopes),
    via: { surface, credential: row.name, address: null },
  }
}

export interface Authenticate {
  /** The caller behind a credential; a promise only where a signature has to be verified first. */
  (bearer: string, surface: Surface): Caller | Promise<Caller>
  /** Whether the verdict on a caller certainly still holds; where not, ask for it again. */
  holds: (caller: Caller) => boolean
}

interface Dependencies {
  db: Db
  clock: Clock
  oauth: OAuthService
}

interface Known {
  caller: Caller
  /** Told that the credential was used. */
  used: () => void
}

export function authenticator({ db, clock, oauth }: Dependencies) {
  const store = credentialStore(db)
  const keyUse = lastUse((uses) => write(db, 'uncached', () => store.touchKeys(uses)), clock)
  const grantUse = lastUse((uses) => write(db, 'uncached', () => store.touchGrants(uses)), clock)
  // A verdict lives only until anything but a flight is written, so a change counts on the very next request.
  const cache = dataCache<Known>(db, {
    part: 'credentials',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: () => BYTES_OF_CALLER,
  })

  /** A key opens several surfaces, and a caller knows by which it came. */
  const keptAs = (name: string, surface: string) => `${surface} ${name}`

  function remembered(name: string, surface: Surface, find: () => Known | undefined): Known | undefined {
    const readUnder = cache.version()
    const cached = cache.keptUnder(readUnder, keptAs(name, surface))
    if (cached) return cached
    const found = find()
    if (!found) return undefined
    cache.set(keptAs(name, surface), found, readUnder)
    const { kind, id } = found.caller.credential
    // A token may expire without any write, so only keys are found by what `holds` asks for.
    if (kind === 'apiKey') cache.set(keptAs(id, surface), found, readUnder)
    return found
  }

  function byKey(key: string, surface: Surface): Known | undefined {
    const name = digestText(key)
    return remembered(name, surface, () => {
      // A key that is in use needs no second look at its checksum.
      const row = isApiKey(key) ? store.findByHash(Buffer.from(name, 'base64')) : undefined
      if (!row) return undefined
      const { legacyObjects } = row
      const caller = toCaller(row, surface, (id, granted) => {
        const { scopes, usable } = grantOf(granted)
        return credential('apiKey', `key ${id}`, scopes, { legacyObjects: Boolean(legacyObjects), usable })
      })
      return { caller, used: () => keyUse.note(row.id) }
    })
  }

  /** Signed by this instance for this surface, and neither the token nor its family nor its grant has ended. */
  function byClaims(claims: AccessClaims | undefined, surface: Surface): Known | undefined {
    if (!claims || surface === 'legacy' || claims.audience !== oauth.resources.urls[surface]) return undefined
    return remembered(claims.jti, surface, () => {
      const row = store.findByToken(claims.jti)
      if (!row) return undefined
      const caller = toCaller(row, surface, (_, granted) => {
        const { scopes, usable } = grantOf(claims.scopes.filter((scope) => granted.includes(scope)))
        return credential('oauth', `family ${row.familyId}`, scopes, { usable })
      })
      return { caller, used: () => grantUse.note(row.id) }
    })
  }

  function accept(known: Known | undefined, surface: Surface): Caller {
    if (!known) throw refusalsOn[surface].unknown
    known.used()
    return known.caller
  }

  function authenticate(bearer: string, surface: Surface): Caller | Promise<Caller> {
    if (looksLikeApiKey(bearer)) return accept(byKey(bearer, surface), surface)
    const claims = oauth.tokens.verify(bearer)
    return claims instanceof Promise
      ? claims.then((verified) => accept(byClaims(verified, surface), surface))
      : accept(byClaims(claims, surface), surface)
  }

  const holds = (caller: Caller): boolean =>
    cache.get(keptAs(caller.credential.id, caller.via.surface))?.caller === caller

  async function close(): Promise<void> {
    await Promise.all([keyUse.flush(), grantUse.flush()])
  }

  return { authenticate: Object.assign(authenticate, { holds }) satisfies Authenticate, close }
}
