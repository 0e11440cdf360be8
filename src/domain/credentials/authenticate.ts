import { type Caller, credential, standing } from '../../access/caller.ts'
import { isPermission } from '../../access/permissions.ts'
import { inCatalogueOrder } from '../../access/scopes.ts'
import type { Db } from '../../db/open.ts'
import type { Clock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import { lru } from '../../lib/lru.ts'
import { digestText, isApiKey } from '../../lib/secret.ts'
import { lastUse } from './last-use.ts'
import { credentialStore, type KeyRow } from './store.ts'

const MOST_CACHED = 1000
const LONGEST_CREDENTIAL = 4096

/** The 401 of every surface; `presented` decides whether the challenge says invalid_token. */
export class Unauthorized extends AppError {
  readonly presented: boolean

  constructor(message: string, presented: boolean) {
    super('unauthorized', message)
    this.presented = presented
  }
}

// Made once: whoever guesses keys must not cost the server a stack trace for each guess.
const refusals = {
  missing: new Unauthorized('Send a credential as "Authorization: Bearer <API key or access token>".', false),
  otherScheme: new Unauthorized('Only the Bearer scheme is accepted: "Authorization: Bearer <credential>".', false),
  repeated: new Unauthorized('Send exactly one Authorization header.', true),
  malformed: new Unauthorized('The bearer credential is malformed.', true),
  unknown: new Unauthorized('The credential is unknown, expired or revoked.', true),
}

/** The credential of a request, read exactly as contract 1.5 says. */
export function bearerOf(headers: readonly string[]): string {
  const [header] = headers
  if (header === undefined) throw refusals.missing
  if (headers.length > 1) throw refusals.repeated
  const found = /^bearer[ \t]+(\S+)$/i.exec(header)?.[1]
  if (found && found.length <= LONGEST_CREDENTIAL) return found
  throw /^bearer(?:[ \t]|$)/i.test(header) ? refusals.malformed : refusals.otherScheme
}

function toCaller(row: KeyRow): Caller {
  const [keyId, scopes, userId, username, displayName, isOwner, roleId, roleName, permissions] = row
  const held = (JSON.parse(permissions ?? '[]') as string[]).filter(isPermission)
  return {
    userId,
    username,
    displayName,
    role: roleId === null ? null : { id: roleId, name: roleName! },
    isOwner: isOwner === 1,
    permissions: standing(isOwner === 1, held),
    credential: credential('apiKey', String(keyId), inCatalogueOrder(JSON.parse(scopes) as string[])),
  }
}

export type Authenticate = (bearer: string) => Caller

export function authenticator({ db, clock }: { db: Db; clock: Clock }) {
  const store = credentialStore(db)
  const used = lastUse(store, clock)
  // A verdict lives only until anything at all is written, so a change counts on the very next request.
  const cache = lru<Caller>(MOST_CACHED)
  let mark = ''

  function byKey(key: string): Caller | undefined {
    const name = digestText(key)
    const now = store.changeMark()
    if (now !== mark) {
      cache.clear()
      mark = now
    }
    const cached = cache.get(name)
    if (cached) return cached
    if (!isApiKey(key)) return undefined
    const row = store.findByHash(Buffer.from(name, 'base64'))
    if (!row) return undefined
    const caller = toCaller(row)
    cache.set(name, caller)
    return caller
  }

  const authenticate: Authenticate = (bearer) => {
    const caller = byKey(bearer)
    if (!caller) throw refusals.unknown
    used.note(Number(caller.credential.id))
    return caller
  }

  return { authenticate, close: used.flush }
}
