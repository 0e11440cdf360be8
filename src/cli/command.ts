import { createInterface } from 'node:readline'
import type { ParseArgsOptionsConfig } from 'node:util'
import type { Config } from '../app/config.ts'
import type { UserService } from '../domain/users/service.ts'
import { StartupError } from '../lib/startup-error.ts'

export const TEXT = { type: 'string' } as const
export const FLAG = { type: 'boolean' } as const

export interface Command {
  name: string
  usage: string
  summary: string
  details?: string
  options?: ParseArgsOptionsConfig
  positionals?: [min: number, max: number]
  run: (call: Call) => Promise<number | void> | number | void
}

export interface Call {
  option: (name: string) => string | undefined
  flag: (name: string) => boolean
  positionals: string[]
  config: () => Config
}

/** Printed with a usage line; exit code 2. */
export class UsageError extends Error {}

export const print = (line: string) => void process.stdout.write(`${line}\n`)

/** One object per line (contract 11.2). */
export const printJson = (value: unknown) => print(JSON.stringify(value))

/** Overwrites one line if stderr is a terminal. */
export function showProgress(done: number, all: number, what: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${all} ${what}${done === all ? '\n' : ''}`)
}

export function required(call: Call, name: string): string {
  const value = call.option(name)
  if (value === undefined) throw new UsageError(`--${name} is missing.`)
  return value
}

/** Never from an argument, which other users of the machine can see. */
export async function readPassword(call: Call): Promise<string> {
  if (call.flag('password-stdin')) return readFirstLine()
  if (!process.stdin.isTTY) throw new UsageError('--password-stdin is missing.')
  return promptHidden('Password: ')
}

const MAX_LINE_BYTES = 64 * 1024

/** Stops at the end of the line, because the pipe may stay open. */
async function readFirstLine(): Promise<string> {
  let bytes = Buffer.alloc(0)
  for await (const chunk of process.stdin) {
    bytes = Buffer.concat([bytes, chunk as Buffer])
    if (bytes.includes('\n') || bytes.length > MAX_LINE_BYTES) break
  }
  const [line = ''] = bytes.toString('utf8').split(/\r?\n/, 1)
  return line
}

function promptHidden(question: string): Promise<string> {
  // readline echoes input to its output, so it gets none.
  const reader = createInterface({ input: process.stdin, terminal: true })
  process.stderr.write(question)
  return new Promise((resolve, reject) => {
    // On Ctrl-C or Ctrl-D. After an answer, the promise is already resolved.
    reader.on('close', () => {
      process.stderr.write('\n')
      reject(new StartupError('No password given. Nothing was changed.'))
    })
    reader.question('', (answer) => {
      resolve(answer)
      reader.close()
    })
  })
}

export function readFileOrFail<Content>(file: string, read: (file: string) => Content): Content {
  try {
    return read(file)
  } catch (cause) {
    throw new StartupError(`${file} cannot be read: ${(cause as Error).message}.`, { cause })
  }
}

export function requireAccount(users: UserService, username: string) {
  const account = users.findByName(username)
  if (!account) throw new StartupError(`User ${username} not found. "paxlog user list" lists all users.`)
  return account
}
