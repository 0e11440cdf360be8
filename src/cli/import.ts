import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import { operator } from '../access/caller.ts'
import { toErrorDetails } from '../contract/issues.ts'
import { ImportQuery } from '../domain/transfer/contract.ts'
import type { Steps } from '../domain/transfer/import-work.ts'
import { readFile } from '../domain/transfer/read-file.ts'
import { AppError } from '../lib/errors.ts'
import { type Call, type Command, printJson, readFileOrFail, requireAccount, required, UsageError } from './command.ts'
import { withServices } from './with-services.ts'

const contentOf = async (path: string): Promise<Buffer> =>
  path === '-' ? buffer(process.stdin) : readFileOrFail(path, (file) => readFileSync(file))

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

/** An option that does not belong to the format of the file is a usage error. */
function asUsage(error: unknown): never {
  throw error instanceof AppError && error.code === 'bad_request' ? new UsageError(error.message) : error
}

/** One line that is overwritten, if stderr is a terminal. */
function progress(done: number, rows: number): void {
  if (!process.stderr.isTTY) return
  process.stderr.write(`\r${done} of ${rows} rows${done === rows ? '\n' : ''}`)
}

/** The operator has all rights, and this process has no other writes. */
const STEPS: Steps = { wasRead: () => undefined, alone: (commit) => commit(), progress }

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
    const config = call.config()
    const file = await contentOf(call.positionals[0]!)
    await withServices(config, async ({ users, reference, importRows }) => {
      const account = requireAccount(users, username)
      await reference.loadShipped()
      const caller = { ...operator, userId: account.id, username: account.username }
      const run = async () => importRows(caller, readFile(file, query), query, STEPS)
      printJson(await run().catch(asUsage))
    })
  },
}
