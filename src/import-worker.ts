import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { allowLongStatements, openExisting } from './db/open.ts'
import { sqliteOf } from './db/sqlite.ts'
import { UserNotChosen } from './domain/transfer/people.ts'
import { ParameterMismatch } from './domain/transfer/read-file.ts'
import { importAlone } from './import-alone.ts'
import type { ImportJob, ImportWord } from './import-thread.ts'
import { AppError, Busy } from './lib/errors.ts'
import { scanJsonFile } from './lib/json-limits.ts'
import { checkTextLimits } from './lib/text-limits.ts'

const { dataDir, databaseUrl, caller, query, key, wantsPreview } = workerData as ImportJob
const port = parentPort!
const say = (word: ImportWord) => port.postMessage(word)
const ask = async (word: ImportWord) => {
  const answer = once(port, 'message')
  say(word)
  await answer
}

const db = openExisting(dataDir, databaseUrl)
allowLongStatements(db)
// The log of a long import is copied into the file when nobody waits for it, and not as part of the commit.
sqliteOf(db)?.pragma('wal_autocheckpoint = 0')

function refusalOf(error: unknown): ImportWord {
  if (error instanceof Busy) return { say: 'refused', refusal: { name: 'Busy', message: error.message } }
  if (!(error instanceof AppError)) throw error
  const { name, code, message, details } = error
  const more = error instanceof ParameterMismatch ? { parameters: error.names, kind: error.kind } : {}
  const choice = error instanceof UserNotChosen ? { users: error.users } : {}
  return { say: 'refused', refusal: { name, code, message, details, ...more, ...choice } }
}

/** The content comes by a message, since the data of a worker would keep it in memory. */
async function receivedFile(): Promise<Buffer> {
  const [{ buffer }] = (await once(port, 'message')) as [Uint8Array<ArrayBuffer>]
  const content = Buffer.from(buffer)
  const isJson = /^\uFEFF?\s*[{[]/.test(content.subarray(0, 1000).toString())
  if (isJson) scanJsonFile(content)
  else checkTextLimits(content)
  return content
}

async function work(): Promise<ImportWord> {
  const report = await importAlone(db).run(caller, await receivedFile(), query, {
    wasRead: () => ask({ say: 'read' }),
    key,
    progress: (done, rows) => say({ say: 'progress', done, rows }),
    preview: wantsPreview ? (preview) => say({ say: 'preview', preview }) : undefined,
    alone: async (commit) => {
      await ask({ say: 'ready' })
      try {
        return commit()
      } finally {
        say({ say: 'moved' })
      }
    },
  })
  sqliteOf(db)?.pragma('wal_checkpoint(passive)')
  return { say: 'done', report }
}

const last = await work()
  .catch(refusalOf)
  .finally(() => db.$client.close())
say(last)
