import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import { type JsonText, jsonText } from '../../contract/answer.ts'
import { dataCache } from '../../db/cache.ts'
import type { Db } from '../../db/open.ts'
import type { PreferenceService } from '../preferences/service.ts'
import type { Me } from './contract.ts'

export type ProfileService = ReturnType<typeof profileService>

interface Dependencies {
  db: Db
  preferences: PreferenceService
  write: (me: Me) => string
}

export function profileService({ db, preferences, write }: Dependencies) {
  const cache = dataCache<{ caller: Caller; answer: JsonText }>(db, {
    part: 'accounts',
    maxBytes: 4 * 1024 * 1024,
    sizeOf: () => 12 * 1024,
  })

  function me(caller: Caller): JsonText {
    authorize(caller, 'getMe', {})
    const { id } = caller.credential
    const version = cache.version()
    const known = cache.getForVersion(version, id)
    // Tokens of one family may have different scopes, and the caller may predate a write.
    if (known?.caller === caller) return known.answer
    const answer = jsonText(write(describe(caller)))
    cache.set(id, { caller, answer }, version)
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
