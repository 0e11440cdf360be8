import { one } from '../../contract/common.ts'
import { operation } from '../../contract/operation.ts'
import { Preferences, PreferencesChange, UpdatedPreferences } from './contract.ts'
import type { PreferenceService } from './service.ts'

export function preferenceOperations(preferences: PreferenceService) {
  return [
    operation({
      id: 'getPreferences',
      route: 'GET /preferences',
      tag: 'Personal data',
      summary: 'Read your preferences',
      description: 'All preferences of the user behind the credential, with defaults for those not set.',
      input: {},
      output: one(Preferences),
      run: (caller) => ({ data: preferences.get(caller) }),
    }),
    operation({
      id: 'updatePreferences',
      route: 'PUT /preferences',
      tag: 'Personal data',
      summary: 'Change your preferences',
      description: 'Changes only the members that are present.',
      input: { body: PreferencesChange },
      output: one(UpdatedPreferences),
      run: async (caller, { body }) => ({
        data: { updated: true as const, ...(await preferences.update(caller, body)) },
      }),
    }),
  ]
}
