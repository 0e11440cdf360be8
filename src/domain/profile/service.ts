import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import type { PreferenceService } from '../preferences/service.ts'
import type { Me } from './contract.ts'

export type ProfileService = ReturnType<typeof profileService>

export function profileService({ preferences }: { preferences: PreferenceService }) {
  // The same caller is handed out again only while nothing at all was written, so an answer is never out of date.
  const answers = new WeakMap<Caller, { data: Me }>()

  /** The whole answer, frozen: a client that asks often is served the same text again. */
  function me(caller: Caller): { data: Me } {
    authorize(caller, 'getMe', {})
    const known = answers.get(caller)
    if (known) return known
    const answer = Object.freeze({ data: describe(caller) })
    answers.set(caller, answer)
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
