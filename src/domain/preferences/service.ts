import { authorize } from '../../access/authorize.ts'
import type { Caller, CurrentCaller } from '../../access/caller.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import { defaultPreferences, type Preferences, type PreferencesChange } from './contract.ts'
import { preferenceStore } from './store.ts'

export type PreferenceService = ReturnType<typeof preferenceService>

export function preferenceService({ db, currentCaller }: { db: Db; currentCaller: CurrentCaller }) {
  const store = preferenceStore(db)
  const of = (userId: string): Preferences => store.find(userId) ?? defaultPreferences

  function get(caller: Caller): Preferences {
    authorize(caller, 'getPreferences', {})
    return of(caller.userId)
  }

  function update(caller: Caller, change: PreferencesChange): Promise<Preferences> {
    return write(db, 'accounts', () => {
      authorize(currentCaller(caller), 'updatePreferences', {})
      if (Object.keys(change).length === 0) return of(caller.userId)
      const values = { ...of(caller.userId), ...change }
      store.save(caller.userId, values)
      return values
    })
  }

  return { get, update, of }
}
