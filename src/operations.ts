import type { Operation } from './contract/operation.ts'
import { preferenceOperations } from './domain/preferences/operations.ts'
import { profileOperations } from './domain/profile/operations.ts'
import { roleOperations } from './domain/roles/operations.ts'
import { userOperations } from './domain/users/operations.ts'
import type { Services } from './services.ts'

/** Everything the service can do, in document order. */
export const allOperations = (services: Services): Operation[] => [
  ...profileOperations(services.profile),
  ...preferenceOperations(services.preferences),
  ...userOperations(services.users),
  ...roleOperations(services.roles),
]
