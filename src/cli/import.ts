import { closeSync, openSync, readFileSync } from 'node:fs'
import { operator } from '../access/caller.ts'
import { toErrorDetails } from '../contract/issues.ts'
import { allowLongStatements, closeDatabase } from '../db/open.ts'
import { openSparing } from '../db/spare-memory.ts'
import { ImportQuery } from '../domain/transfer/contract.ts'
import type { FileContent } from '../domain/transfer/read-file.ts'
import { importAlone } from '../import-alone.ts'
import { AppError } from '../lib/errors.ts'
import { sweepHeap } from '../lib/spare-heap.ts'
import { type Call, type Command, printJson, readFileOrFail, requireAccount, required, UsageError } from './command.ts'

const ROWS_BETWEEN_SWEEPS = 20_000

/** Whatever is not there is refused before the database is opened; a file is read only when it is needed. */
async function contentOf(path: string): Promise<FileContent> {
  if (path === '-') {
    const chunks: Buffer[] = []
    for await (const chunk of process.stdin) chunks.push(chunk as Buffer)
    return Buffer.concat(chunks)
  }
  const file = readFileOrFail(path, () => openSync(path, 'r'))
  return async () => {
    const content = readFileOrFail(path, () => readFileSync(file))
    closeSync(file)
    return content
  }
}

function queryOf(call: Call): ImportQuery {
  const parsed = ImportQuery.safeParse({
    format: call.option('format'),
    mode: call.option('mode'),
    fileUser: call.option('file-user'),
    ...(call.flag('all-owners') && { mineOnly: 'false' }),
    dryRun: String(call.flag('dry-run')),
  })
  if (parsed.success) return parsed.data
  const [fault] = toErrorDetails(parsed.error)
  throw new UsageError(`--${fault!.path.join('.')}: ${fault!.message}`)
}

/** An option that does not belong to the format is wrong usage, also when the format is found out only now. */
function asUsage(error: unknown): never {
  throw error instanceof AppError && error.code === 'bad_request' ? new UsageError(error.message) : error
}

/** A line that is written over, for somebody who watches; and now and then the garbage of the rows before goes. */
function progress(done: number, rows: number): void {
  if (done % ROWS_BETWEEN_SWEEPS === 0 && done < rows) sweepHeap()
  if (!process.stderr.isTTY) return
  process.stderr.write(`\r${done} of ${rows} rows${done === rows ? '\n' : ''}`)
}

/** The operator may do everything, and nobody else writes by this process. */
const ALONE = { wasRead: () => undefined, alone: <Result>(commit: () => Result) => commit() }

export const importCommand: Command = {
  name: 'import',
  usage: 'FILE --username NAME [--format F] [--mode M] [--file-user U] [--all-owners] [--dry-run]',
  summary: 'Import a file of another flight log, or a backup',
  details:
    'FILE "-" reads stdin. The format is found out by itself. The report names every row that was left out, and why; --dry-run reports and keeps nothing. A backup goes into the log of the user, or with --mode restore to all users.',
  options: {
    username: { type: 'string' },
    format: { type: 'string' },
    mode: { type: 'string' },
    'file-user': { type: 'string' },
    'all-owners': { type: 'boolean' },
    'dry-run': { type: 'boolean' },
  },
  positionals: [1, 1],
  run: async (call) => {
    const username = required(call, 'username')
    const query = queryOf(call)
    const { dataDir, databaseUrl } = call.config()
    const file = await contentOf(call.positionals[0]!)
    const db = openSparing(dataDir, databaseUrl)
    allowLongStatements(db)
    try {
      const { users, reference, run } = importAlone(db)
      const account = requireAccount(users, username)
      await reference.loadShipped()
      const caller = { ...operator, userId: account.id, username: account.username }
      printJson(await run(caller, file, query, { ...ALONE, progress }).catch(asUsage))
    } finally {
      closeDatabase(db)
    }
  },
}
