import { longWrites } from './db/long-writes.ts'
import type { Db } from './db/open.ts'
import { activityService } from './domain/activity/service.ts'
import { currentCaller as currentCallerOf } from './domain/credentials/current-caller.ts'
import { customFieldService } from './domain/custom-fields/service.ts'
import { importedFlights } from './domain/flights/imported.ts'
import { createReferenceService } from './domain/flights/touch-referencing-flights.ts'
import { roleService } from './domain/roles/service.ts'
import { importWork } from './domain/transfer/import-work.ts'
import { userService } from './domain/users/service.ts'
import { systemClock as clock } from './lib/clock.ts'

/** An import and what it needs, for a thread or a command that does nothing else: all services take some megabytes more. */
export function importAlone(db: Db) {
  const writes = longWrites({ db })
  const activity = activityService({ db, clock })
  const currentCaller = currentCallerOf(db)
  const roles = roleService({ db, clock, activity, currentCaller })
  const reference = createReferenceService(db, writes, currentCaller)
  const customFields = customFieldService({
    db,
    clock,
    reference,
    longWrites: writes,
    currentCaller,
  })
  const users = userService({ db, clock, roles, activity, longWrites: writes, currentCaller })
  const beginFlights = importedFlights({ db, clock, reference, customFields })
  return { users, reference, run: importWork({ db, clock, beginFlights, reference, customFields, activity }) }
}
