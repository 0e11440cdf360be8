import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { loadConfig } from '../app/config.ts'
import { AppError, Busy } from '../lib/errors.ts'
import { StartupError } from '../lib/startup-error.ts'
import { type Call, type Command, print, UsageError } from './command.ts'

/** The commands by their first word, in the order of the overview. Each is loaded on demand, so that a health check stays small. */
const groups: Record<string, () => Promise<readonly Command[]>> = {
  serve: async () => [(await import('./serve.ts')).serve],
  user: async () => (await import('./user.ts')).userCommands,
  key: async () => (await import('./key.ts')).keyCommands,
  import: async () => [(await import('./import.ts')).importCommand],
  export: async () => [(await import('./export.ts')).exportCommand],
  activity: async () => [(await import('./activity.ts')).activityCommand],
  backup: async () => [(await import('./backup.ts')).backup],
  copy: async () => [(await import('./copy.ts')).copyCommand],
  reference: async () => [(await import('./reference.ts')).referenceUpdate],
  demo: async () => [(await import('./demo.ts')).demo],
  openapi: async () => [(await import('./openapi.ts')).openapi],
  doctor: async () => [(await import('./doctor.ts')).doctor],
  healthcheck: async () => [(await import('./healthcheck.ts')).healthcheck],
  version: async () => [(await import('./version.ts')).versionCommand],
}

export async function allCommands(): Promise<Command[]> {
  const lists = await Promise.all(Object.values(groups).map((load) => load()))
  return lists.flat()
}

const COMMON: ParseArgsOptionsConfig = {
  help: { type: 'boolean', short: 'h' },
  'data-dir': { type: 'string' },
}

const usageLine = ({ name, usage }: Command) => `usage: paxlog ${name}${usage && ` ${usage}`} [--data-dir DIR]`

function overview(list: readonly Command[]): string {
  const width = Math.max(...list.map(({ name }) => name.length))
  const lines = list.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return `usage: paxlog COMMAND [OPTIONS]\n\n${lines.join('\n')}\n\n"paxlog COMMAND --help" tells more about one of them.`
}

function help(command: Command): string {
  const environment = 'DATA_DIR and the other variables of the server count here too; --data-dir wins over DATA_DIR.'
  return [usageLine(command), command.summary, command.details, environment].filter(Boolean).join('\n\n')
}

const fail = (message: string, code: number) => {
  process.stderr.write(`${message}\n`)
  return code
}

const groupOf = async (word = ''): Promise<readonly Command[]> => (Object.hasOwn(groups, word) ? groups[word]!() : [])

/** The command whose name begins the arguments, and the remaining arguments. */
function find(group: readonly Command[], args: readonly string[]) {
  return group
    .map((command) => ({ command, rest: args.slice(command.name.split(' ').length) }))
    .find(({ command }) => command.name.split(' ').every((word, index) => args[index] === word))
}

function callOf(command: Command, args: string[]): Call | 'help' {
  let parsed: { values: Record<string, unknown>; positionals: string[] }
  try {
    parsed = parseArgs({ args, options: { ...COMMON, ...command.options }, allowPositionals: true, strict: true })
  } catch (error) {
    // The rest of the message is advice that does not apply here.
    throw new UsageError((error as Error).message.replace(/\.\s+(To specify|Did you forget).*/s, '.'))
  }
  const { values, positionals } = parsed
  if (values.help) return 'help'
  const [min, max] = command.positionals ?? [0, 0]
  if (positionals.length < min) throw new UsageError('An argument is missing.')
  if (positionals.includes('')) throw new UsageError('An argument is empty.')
  if (positionals.length > max) throw new UsageError(`"${positionals[max]}" is one argument too many.`)
  const dataDir = values['data-dir'] as string | undefined
  // An empty variable counts as unset, but an empty option is a mistake.
  if (dataDir === '') throw new UsageError('--data-dir is empty.')
  return {
    option: (name) => values[name] as string | undefined,
    flag: (name) => values[name] === true,
    positionals,
    config: () => {
      const config = loadConfig(dataDir === undefined ? process.env : { ...process.env, DATA_DIR: dataDir })
      // The default folder of SQLite for temporary files may be read-only in a container.
      process.env.SQLITE_TMPDIR ??= config.dataDir
      return config
    },
  }
}

/** The message for the operator; undefined for an unexpected error. */
async function messageOf(error: unknown): Promise<string | undefined> {
  if (error instanceof AppError) {
    const details = error.details?.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []
    return [error.message, ...details].join(' ')
  }
  if (error instanceof StartupError) return error.message
  const { describeDatabaseError } = await import('../db/errors.ts')
  return describeDatabaseError(error) ?? (error instanceof Busy ? error.message : undefined)
}

async function execute(args: string[]): Promise<number> {
  const group = await groupOf(args[0])
  const found = find(group, args)
  if (!found) {
    const asked = args.length === 0 || args.includes('--help') || args.includes('-h')
    const text = overview(group.length > 0 ? group : await allCommands())
    if (asked && (args.length === 0 || group.length > 0 || args[0]!.startsWith('-'))) {
      if (args.length === 0) return fail(text, 2)
      print(text)
      return 0
    }
    return fail(`There is no command "${args.join(' ')}".\n${text}`, 2)
  }
  const { command, rest } = found
  try {
    const call = callOf(command, rest)
    if (call === 'help') {
      print(help(command))
      return 0
    }
    return (await command.run(call)) ?? 0
  } catch (error) {
    if (error instanceof UsageError) return fail(`${error.message}\n${usageLine(command)}`, 2)
    const message = await messageOf(error)
    if (message === undefined) throw error
    return fail(message, 1)
  }
}

/** Runs one command and sets the exit code of the process. */
export async function runCommand(args: string[]): Promise<void> {
  // A reader such as head may close the pipe early.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  process.exitCode = await execute(args)
}
