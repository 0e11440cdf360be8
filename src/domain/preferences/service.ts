import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import type { Db } from '../../db/open.ts'
import { writing } from '../../db/writing.ts'
import { defaultPreferences, type Preferences, type PreferencesChange } from './contract.ts'
import { preferenceStore } from './store.ts'

export type PreferenceService = ReturnType<typeof preferenceService>

export function preferenceService({ db }: { db: Db }) {
  const store = preferenceStore(db)
  const of = (userId: string): Preferences => store.find(userId) ?? defaultPreferences

  function get(caller: Caller): Preferences {
    authorize(caller, 'getPreferences', {})
    return of(caller.userId)
  }

  function update(caller: Caller, change: PreferencesChange): Preferences {
    authorize(caller, 'updatePreferences', {})
    if (Object.keys(change).length === 0) return of(caller.userId)
    return writing(db, () => {
      const values = { ...of(caller.userId), ...change }
      store.save(caller.userId, values)
      return values
    })
  }

  return { get, update, of }
}
