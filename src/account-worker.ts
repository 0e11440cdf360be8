import { parentPort, workerData } from 'node:worker_threads'
import type { AccountTask, AccountWord } from './account-thread.ts'
import { allowLongStatements, openExisting, START_PATIENCE_MS, setPatience } from './db/open.ts'
import { fileOf } from './db/sqlite.ts'
import { activityService } from './domain/activity/service.ts'
import { roleService } from './domain/roles/service.ts'
import { userService } from './domain/users/service.ts'
import { AppError } from './lib/errors.ts'

const { dataDir, databaseUrl, job, now } = workerData as AccountTask

function work(): AccountWord {
  const db = openExisting(dataDir, databaseUrl)
  try {
    // An import may be moving its flights.
    setPatience(db, START_PATIENCE_MS)
    allowLongStatements(db)
    // The log of a long write is copied into the file here, and not as part of somebody else's commit.
    fileOf(db)?.pragma('wal_autocheckpoint = 0')
    const clock = () => now
    const activity = activityService({ db, clock })
    const roles = roleService({ db, clock, activity })
    const { here } = userService({ db, clock, roles, activity })
    const result = job.name === 'remove' ? here.remove(job.about) : here.change(job.about)
    fileOf(db)?.pragma('wal_checkpoint(passive)')
    return { say: 'done', result }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { code, message, details } = error
    return { say: 'refused', code, message, details }
  } finally {
    db.$client.close()
  }
}

parentPort!.postMessage(work())
