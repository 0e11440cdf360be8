import type { Db } from './db/open.ts'
import { authenticator } from './domain/credentials/authenticate.ts'
import { keyService } from './domain/credentials/service.ts'
import { preferenceService } from './domain/preferences/service.ts'
import { profileService } from './domain/profile/service.ts'
import { referenceService } from './domain/reference/service.ts'
import { roleService } from './domain/roles/service.ts'
import { userService } from './domain/users/service.ts'
import { type Clock, systemClock } from './lib/clock.ts'

export type Services = ReturnType<typeof createServices>

/** Builds each service once, in the order in which they know each other. */
export function createServices({ db, clock = systemClock }: { db: Db; clock?: Clock }) {
  const roles = roleService({ db, clock })
  const users = userService({ db, clock, roles })
  const preferences = preferenceService({ db })
  const profile = profileService({ preferences })
  const keys = keyService({ db, clock })
  const credentials = authenticator({ db, clock })
  const reference = referenceService({ db })
  roles.installBuiltIn()
  return { roles, users, preferences, profile, keys, credentials, reference }
}
