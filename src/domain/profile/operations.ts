import { one } from '../../contract/common.ts'
import { operation } from '../../contract/operation.ts'
import { Me } from './contract.ts'
import type { ProfileService } from './service.ts'

export function profileOperations(profile: ProfileService) {
  return [
    operation({
      id: 'getMe',
      route: 'GET /me',
      tag: 'Personal data',
      summary: 'Who am I, and what may this credential do',
      description: "The user behind the credential, the role's effective permissions and the scopes of the credential.",
      input: {},
      output: one(Me),
      run: (caller) => ({ data: profile.me(caller) }),
    }),
  ]
}
