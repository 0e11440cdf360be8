import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { operator } from '../access/caller.ts'
import { toErrorDetails } from '../contract/issues.ts'
import { ImportQuery } from '../domain/transfer/contract.ts'
import type { Steps } from '../domain/transfer/import-work.ts'
import { readFile } from '../domain/transfer/read-file.ts'
import { AppError } from '../lib/errors.ts'
import {
  type Call,
  type Command,
  FLAG,
  printJson,
  readFileOrFail,
  requireAccount,
  required,
  showProgress,
  TEXT,
  UsageError,
} from './command.ts'
import { withServices } from './with-services.ts'

function queryOf(call: Call): ImportQuery {
  const parsed = ImportQuery.safeParse({
    format: call.option('format'),
    mode: call.option('mode'),
    fileUser: call.option('file-user'),
    ...(call.flag('all-owners') && { mineOnly: 'false' }),
    columns: call.option('columns'),
    dateFormat: call.option('date-format'),
    dryRun: String(call.flag('dry-run')),
  })
  if (parsed.success) return parsed.data
  const [problem] = toErrorDetails(parsed.error)
  const option = problem!.path.join('.').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  throw new UsageError(`--${option}: ${problem!.message}`)
}

function asUsage(error: unknown): never {
  throw error instanceof AppError && error.code === 'bad_request' ? new UsageError(error.message) : error
}

/** The operator has all rights, and this process has no other writes. */
const STEPS: Steps = {
  authorize: () => undefined,
  exclusively: (commit) => commit(),
  progress: (done, rows) => showProgress(done, rows, 'rows'),
}

export const importCommand: Command = {
  name: 'import',
  usage:
    'FILE --username NAME [--format F] [--mode M] [--file-user U] [--all-owners] [--columns JSON] [--date-format F] [--dry-run]',
  summary: 'Import a file of another flight log, or a backup',
  details:
    'FILE "-" reads stdin. The format is detected. The report lists every rejected row with its reasons; --dry-run reports without saving. A backup is imported into the log of the user, or with --mode restore into the logs of all users. --columns names the columns of any CSV file, such as {"date":"Day"}; --date-format is iso, dmy or mdy.',
  options: {
    ...{ username: TEXT, format: TEXT, mode: TEXT, 'file-user': TEXT, 'all-owners': FLAG },
    ...{ columns: TEXT, 'date-format': TEXT, 'dry-run': FLAG },
  },
  positionals: [1, 1],
  run: async (call) => {
    const username = required(call, 'username')
    const query = queryOf(call)
    const config = call.config()
    const path = call.positionals[0]!
    const file = path === '-' ? await buffer(process.stdin) : readFileOrFail(path, (each) => readFileSync(each))
    await withServices(config, async ({ users, reference, importRows }) => {
      const account = requireAccount(users, username)
      await reference.loadShipped()
      const caller = { ...operator, userId: account.id, username: account.username }
      const run = async () => importRows(caller, readFile(file, query), query, STEPS)
      printJson(await run().catch(asUsage))
    })
  },
}
