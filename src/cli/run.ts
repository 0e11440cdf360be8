import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { loadConfig } from '../app/config.ts'
import { AppError, Busy } from '../lib/errors.ts'
import { StartupError } from '../lib/startup-error.ts'
import { type Call, type Command, FLAG, print, TEXT, UsageError } from './command.ts'

/** By their first word, in the order of the overview. Loaded on demand, so that a health check stays small. */
const groups: Record<string, () => Promise<readonly Command[]>> = {
  serve: async () => [(await import('./serve.ts')).serve],
  user: async () => (await import('./user.ts')).userCommands,
  key: async () => (await import('./key.ts')).keyCommands,
  import: async () => [(await import('./import.ts')).importCommand],
  export: async () => [(await import('./export.ts')).exportCommand],
  activity: async () => [(await import('./activity.ts')).activityCommand],
  backup: async () => [(await import('./backup.ts')).backup],
  copy: async () => [(await import('./copy.ts')).copyCommand],
  reference: async () => (await import('./reference.ts')).referenceCommands,
  demo: async () => [(await import('./demo.ts')).demo],
  openapi: async () => [(await import('./openapi.ts')).openapi],
  doctor: async () => [(await import('./doctor.ts')).doctor],
  healthcheck: async () => [(await import('./healthcheck.ts')).healthcheck],
  version: async () => [(await import('./version.ts')).versionCommand],
}

export const allCommands = async (): Promise<Command[]> =>
  (await Promise.all(Object.values(groups).map((load) => load()))).flat()

const COMMON: ParseArgsOptionsConfig = { help: { ...FLAG, short: 'h' }, 'data-dir': TEXT }

const usageLine = ({ name, usage }: Command) => `usage: paxlog ${name}${usage && ` ${usage}`} [--data-dir DIR]`

function overview(list: readonly Command[]): string {
  const width = Math.max(...list.map(({ name }) => name.length))
  const lines = list.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  return `usage: paxlog COMMAND [OPTIONS]\n\n${lines.join('\n')}\n\nRun "paxlog COMMAND --help" for details.`
}

function help(command: Command): string {
  const environment = 'The environment variables of the server apply; --data-dir overrides DATA_DIR.'
  return [usageLine(command), command.summary, command.details, environment].filter(Boolean).join('\n\n')
}

const fail = (message: string, code: number) => {
  process.stderr.write(`${message}\n`)
  return code
}

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
  if (positionals.length > max) throw new UsageError(`Unexpected argument "${positionals[max]}".`)
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

/** Undefined for an unexpected error. */
async function messageOf(error: unknown): Promise<string | undefined> {
  if (error instanceof AppError) {
    const details =
      error.details?.map(({ path, message }) => [path.join('.'), message].filter(Boolean).join(': ')) ?? []
    return [error.message, ...details].join(' ')
  }
  if (error instanceof StartupError) return error.message
  const { describeDatabaseError } = await import('../db/errors.ts')
  return describeDatabaseError(error) ?? (error instanceof Busy ? error.message : undefined)
}

async function execute(args: string[]): Promise<number> {
  const [word = ''] = args
  const group = Object.hasOwn(groups, word) ? await groups[word]!() : []
  const found = find(group, args)
  if (!found) {
    const text = overview(group.length > 0 ? group : await allCommands())
    if (args.length === 0) return fail(text, 2)
    const asksForHelp = args.includes('--help') || args.includes('-h')
    if (!asksForHelp || (group.length === 0 && !args[0]!.startsWith('-'))) {
      return fail(`Unknown command "${args.join(' ')}".\n${text}`, 2)
    }
    print(text)
    return 0
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

export async function runCommand(args: string[]): Promise<void> {
  // A reader such as head may close the pipe early.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  process.exitCode = await execute(args)
}
