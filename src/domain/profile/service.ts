import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import type { PreferenceService } from '../preferences/service.ts'
import type { Me } from './contract.ts'

export type ProfileService = ReturnType<typeof profileService>

export function profileService({ preferences }: { preferences: PreferenceService }) {
  function me(caller: Caller): Me {
    authorize(caller, 'getMe', {})
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
