import { createWriteStream, renameSync, rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { toErrorDetails } from '../contract/issues.ts'
import { FlightFilter, filterOf, filterShape } from '../domain/flights/query/filter-contract.ts'
import type { Target } from '../domain/flights/query/target.ts'
import { lowerFirst } from '../http/shared/input.ts'
import type { ErrorDetail } from '../lib/errors.ts'
import { createPrivateFile } from '../lib/private-file.ts'
import { StartupError } from '../lib/startup-error.ts'
import { type Command, FLAG, printJson, requireAccount, TEXT, UsageError } from './command.ts'
import { withServices } from './with-services.ts'

async function writeFileAtomically(file: string, text: AsyncIterable<string>): Promise<void> {
  const partial = `${file}.partial`
  try {
    // A file of an earlier run would keep its mode.
    rmSync(partial, { force: true })
    createPrivateFile(partial)
    await pipeline(Readable.from(text), createWriteStream(partial, { flags: 'r+', flush: true }))
    renameSync(partial, file)
  } catch (cause) {
    rmSync(partial, { force: true })
    throw new StartupError(`${file} could not be written: ${(cause as Error).message}.`, { cause })
  }
}

async function writeToStdout(text: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(text), process.stdout, { end: false })
  } catch (cause) {
    throw new StartupError(`The document could not be written: ${(cause as Error).message}.`, { cause })
  }
}

/** Rejects unknown parameters: a misspelt filter would export every flight. */
function parseFilter(query: string | undefined): FlightFilter | undefined {
  if (query === undefined) return undefined
  const given = new URLSearchParams(query)
  const invalidFilter = (sentence: string) => new UsageError(`--filter: ${sentence}`)
  for (const name of given.keys()) {
    if (!Object.hasOwn(filterShape, name)) throw invalidFilter(`unknown parameter ${name}.`)
    if (given.getAll(name).length > 1) throw invalidFilter(`${name} is given twice.`)
  }
  const parsed = FlightFilter.safeParse(Object.fromEntries(given))
  if (parsed.success) return filterOf(parsed.data)
  const [{ path, message }] = toErrorDetails(parsed.error) as [ErrorDetail]
  throw invalidFilter(`${path.join('.')} ${lowerFirst(message)}`)
}

export const exportCommand: Command = {
  name: 'export',
  usage: '[FILE] (--username NAME | --all) [--format json|yaml] [--filter QUERY]',
  summary: 'Export the flights of one or all users',
  details:
    'Without FILE, prints to stdout. JSON can be imported again; YAML is for reading. QUERY is a filter as in the API, such as "dateFrom=2024-01-01&country=CH".',
  options: { username: TEXT, all: FLAG, format: TEXT, filter: TEXT },
  positionals: [0, 1],
  run: (call) => {
    const username = call.option('username')
    if ((username !== undefined) === call.flag('all')) throw new UsageError('Give either --username or --all.')
    const format = call.option('format') ?? 'json'
    if (format !== 'json' && format !== 'yaml') throw new UsageError('--format must be json or yaml.')
    const filter = parseFilter(call.option('filter'))
    const [file] = call.positionals
    return withServices(call.config(), async (services) => {
      const target: Target = username === undefined ? 'all' : { userId: requireAccount(services.users, username).id }
      const text = services.exports.all({ target, filter, format })
      if (file === undefined) return writeToStdout(text)
      await writeFileAtomically(file, text)
      printJson({ file, flights: (await services.flights.log.idsOf(target, filter)).length })
    })
  },
}
