import type { Operation } from '../contract/operation.ts'
import { changeOperations } from '../domain/changes/operations.ts'
import { customFieldOperations } from '../domain/custom-fields/operations.ts'
import { documentOperations } from '../domain/documents/operations.ts'
import { deletedFlightOperations } from '../domain/flights/deleted/operations.ts'
import { flightOperations, trackOperations } from '../domain/flights/operations.ts'
import { preferenceOperations } from '../domain/preferences/operations.ts'
import { profileOperations } from '../domain/profile/operations.ts'
import { referenceOperations } from '../domain/reference/operations.ts'
import { roleOperations } from '../domain/roles/operations.ts'
import { shareOperations } from '../domain/shares/operations.ts'
import { statsOperations } from '../domain/stats/operations.ts'
import { transferOperations } from '../domain/transfer/operations.ts'
import { tripOperations } from '../domain/trips/operations.ts'
import { userOperations } from '../domain/users/operations.ts'
import { visitedOperations } from '../domain/visited/operations.ts'
import type { Services } from './services.ts'

export const allOperations = (services: Services): Operation[] => [
  ...profileOperations(services.profile),
  ...preferenceOperations(services.preferences),
  ...flightOperations(services.flights),
  ...trackOperations(services.tracks),
  ...deletedFlightOperations(services.deletedFlights),
  ...changeOperations(services.changes),
  ...transferOperations(services.exports, services.imports),
  ...documentOperations(services.documents),
  ...statsOperations(services.stats),
  ...referenceOperations(services.reference, services.flightNumbers),
  ...customFieldOperations(services.customFields),
  ...visitedOperations(services.visited),
  ...shareOperations(services.shares),
  ...tripOperations(services.trips),
  ...userOperations(services.users),
  ...roleOperations(services.roles),
]
