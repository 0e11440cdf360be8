import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import { type JsonText, jsonText } from '../../contract/answer.ts'
import { dataCache } from '../../db/data-cache.ts'
import type { Db } from '../../db/open.ts'
import type { PreferenceService } from '../preferences/service.ts'
import type { Me } from './contract.ts'

export type ProfileService = ReturnType<typeof profileService>

/** Clients that ask often are served the same text again. */
const MAX_CACHE_BYTES = 4 * 1024 * 1024
/** With its caller, who has at most a few dozen permissions and scopes. */
const BYTES_OF_ANSWER = 12 * 1024

interface Dependencies {
  db: Db
  preferences: PreferenceService
  /** As the JSON of v1, which is kept. */
  write: (me: Me) => string
}

export function profileService({ db, preferences, write }: Dependencies) {
  const cache = dataCache<{ caller: Caller; answer: JsonText }>(db, {
    part: 'accounts',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: () => BYTES_OF_ANSWER,
  })

  function me(caller: Caller): JsonText {
    authorize(caller, 'getMe', {})
    const { id } = caller.credential
    const readUnder = cache.version()
    const known = cache.keptUnder(readUnder, id)
    // Tokens of one family may differ in their scopes, and a caller may have been found before a write.
    if (known?.caller === caller) return known.answer
    const answer = jsonText(write(describe(caller)))
    cache.set(id, { caller, answer }, readUnder)
    return answer
  }

  function describe(caller: Caller): Me {
    const { kind, scopes, usable } = caller.credential
    return {
      id: caller.userId,
      username: caller.username,
      displayName: caller.displayName,
      role: caller.role,
      isOwner: caller.isOwner,
      permissions: [...caller.permissions],
      credential: { kind: kind as 'apiKey' | 'oauth', scopes: [...scopes] },
      ...(usable.has('profile.read') && { preferences: preferences.of(caller.userId) }),
    }
  }

  return { me }
}
