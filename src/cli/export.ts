import { createWriteStream, renameSync, rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { detailsOf } from '../contract/issues.ts'
import { FlightFilter, filterOf, filterShape } from '../domain/flights/filter-contract.ts'
import type { Target } from '../domain/flights/target.ts'
import { lowered } from '../http/shared/input.ts'
import type { ErrorDetail } from '../lib/errors.ts'
import { ownFile } from '../lib/own-file.ts'
import { Refusal } from '../lib/refusal.ts'
import { accountNamed, type Command, FLAG, printJson, TEXT, UsageError } from './command.ts'
import { withServices } from './with-services.ts'

/** The file gets its name only when it is whole. */
async function writeWhole(file: string, text: AsyncIterable<string>): Promise<void> {
  const partial = `${file}.partial`
  try {
    // What an earlier run left behind would keep its mode.
    rmSync(partial, { force: true })
    ownFile(partial)
    await pipeline(Readable.from(text), createWriteStream(partial, { flags: 'r+', flush: true }))
    renameSync(partial, file)
  } catch (cause) {
    rmSync(partial, { force: true })
    throw new Refusal(`${file} could not be written: ${(cause as Error).message}.`, { cause })
  }
}

/** As fast as the reader takes it; one that hangs up is told of like a disk that is full. */
async function writeOut(text: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(Readable.from(text), process.stdout, { end: false })
  } catch (cause) {
    throw new Refusal(`The document could not be written: ${(cause as Error).message}.`, { cause })
  }
}

/** The filter of the API, as its query would have it. A misspelt name is refused: the document would have every flight. */
function filterIn(query: string | undefined): FlightFilter | undefined {
  if (query === undefined) return undefined
  const given = [...new URLSearchParams(query)]
  const wrong = (sentence: string) => new UsageError(`--filter: ${sentence}`)
  for (const [index, [name]] of given.entries()) {
    if (!Object.hasOwn(filterShape, name)) throw wrong(`there is no ${name}.`)
    if (given.findIndex(([other]) => other === name) !== index) throw wrong(`${name} is given twice.`)
  }
  const parsed = FlightFilter.safeParse(Object.fromEntries(given))
  if (parsed.success) return filterOf(parsed.data)
  const [{ path, message }] = detailsOf(parsed.error) as [ErrorDetail]
  throw wrong(`${path.join('.')} ${lowered(message)}`)
}

export const exportCommand: Command = {
  name: 'export',
  usage: '[FILE] (--username NAME | --all) [--format json|yaml] [--filter QUERY]',
  summary: 'Write the flights of a user, or of everybody, as a document',
  details:
    'Without FILE the document goes to stdout. JSON can be imported again; YAML is for reading. QUERY is a filter as in the API, such as "dateFrom=2024-01-01&country=CH".',
  options: { username: TEXT, all: FLAG, format: TEXT, filter: TEXT },
  words: [0, 1],
  run: (call) => {
    const username = call.option('username')
    if ((username !== undefined) === call.flag('all')) throw new UsageError('Give either --username or --all.')
    const format = call.option('format') ?? 'json'
    if (format !== 'json' && format !== 'yaml') throw new UsageError('--format must be json or yaml.')
    const filter = filterIn(call.option('filter'))
    const [file] = call.words
    return withServices(call.config(), async (services) => {
      const target: Target = username === undefined ? 'all' : { userId: accountNamed(services.users, username).id }
      const text = services.exports.all({ target, filter, format })
      if (file === undefined) return writeOut(text)
      await writeWhole(file, text)
      printJson({ file, flights: (await services.flights.log.idsOf(target, filter)).length })
    })
  },
}
