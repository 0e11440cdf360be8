import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { createServices } from '../../app/services.ts'
import { openExisting } from '../../db/open.ts'
import { sqliteOf } from '../../db/sqlite/sqlite.ts'
import { type ReadFile, readFile } from '../../domain/transfer/read-file.ts'
import { scanJsonFile } from '../../lib/json-limits.ts'
import { checkTextLimits } from '../../lib/text-limits.ts'
import { toMessage } from '../worker-errors.ts'
import type { ImportJob, ImportMessage } from './import-thread.ts'

const { dataDir, databaseUrl, caller, query, key, wantsPreview } = workerData as ImportJob
const port = parentPort!
const send = (message: ImportMessage) => port.postMessage(message)
const ask = async (message: ImportMessage) => {
  const answer = once(port, 'message')
  send(message)
  await answer
}

const db = openExisting(dataDir, databaseUrl)
// A checkpoint as part of the commit would hold the lock longer.
sqliteOf(db)?.pragma('wal_autocheckpoint = 0')

/** The content arrives as a message, since the data of a worker would keep it in memory. */
async function receivedFile(): Promise<ReadFile> {
  const [{ buffer }] = (await once(port, 'message')) as [Uint8Array<ArrayBuffer>]
  const content = Buffer.from(buffer)
  const isJson = /^\uFEFF?\s*[{[]/.test(content.subarray(0, 1000).toString())
  if (isJson) scanJsonFile(content)
  else checkTextLimits(content)
  return readFile(content, query)
}

async function work(): Promise<ImportMessage> {
  const report = await createServices({ db }).importRows(caller, await receivedFile(), query, {
    authorize: () => ask({ type: 'read' }),
    key,
    progress: (done, rows) => send({ type: 'progress', done, rows }),
    preview: wantsPreview ? (preview) => send({ type: 'preview', preview }) : undefined,
    exclusively: async (commit) => {
      await ask({ type: 'ready' })
      try {
        return await commit()
      } finally {
        send({ type: 'committed' })
      }
    },
  })
  sqliteOf(db)?.pragma('wal_checkpoint(passive)')
  return { type: 'done', report }
}

send(
  await work()
    .catch((error): ImportMessage => ({ type: 'refused', error: toMessage(error) }))
    .finally(() => db.$client.close()),
)
