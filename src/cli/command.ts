import { createInterface } from 'node:readline'
import type { ParseArgsOptionsConfig } from 'node:util'
import type { Config } from '../config.ts'
import type { UserService } from '../domain/users/service.ts'
import { Refusal } from '../lib/refusal.ts'

export const TEXT = { type: 'string' } as const
export const FLAG = { type: 'boolean' } as const

export interface Command {
  /** One or two words, as typed. */
  name: string
  /** What follows the name in the usage line. */
  usage: string
  summary: string
  /** More than one sentence, for `--help` of the command itself. */
  details?: string
  options?: ParseArgsOptionsConfig
  /** How many words may follow that are not options. */
  words?: [least: number, most: number]
  run: (call: Call) => Promise<number | void> | number | void
}

export interface Call {
  /** Values of the options by name; the command knows their types from its own declaration. */
  option: (name: string) => string | undefined
  flag: (name: string) => boolean
  words: string[]
  config: () => Config
}

/** The call itself is wrong: answered with a usage line and exit code 2. */
export class UsageError extends Error {}

export const print = (line: string) => void process.stdout.write(`${line}\n`)

/** JSON output is one object a line (contract 11.2). */
export const printJson = (value: unknown) => print(JSON.stringify(value))

export function required(call: Call, name: string): string {
  const value = call.option(name)
  if (value === undefined) throw new UsageError(`--${name} is missing.`)
  return value
}

/** From the first line of stdin, or typed without being shown; never from an argument, which others could see. */
export async function readPassword(call: Call): Promise<string> {
  if (call.flag('password-stdin')) return firstLine()
  if (!process.stdin.isTTY) throw new UsageError('--password-stdin is missing.')
  return hiddenPrompt('Password: ')
}

const LONGEST_LINE = 64 * 1024

/** Stops at the line end: whoever keeps the pipe open is not waited for. */
async function firstLine(): Promise<string> {
  let bytes = Buffer.alloc(0)
  for await (const chunk of process.stdin) {
    bytes = Buffer.concat([bytes, chunk as Buffer])
    if (bytes.includes('\n') || bytes.length > LONGEST_LINE) break
  }
  const [line = ''] = bytes.toString('utf8').split(/\r?\n/, 1)
  return line
}

function hiddenPrompt(question: string): Promise<string> {
  // readline echoes what is typed to its output, so it gets none; from here on the terminal is silent too.
  const reader = createInterface({ input: process.stdin, terminal: true })
  process.stderr.write(question)
  return new Promise((resolve, reject) => {
    // Ctrl-C and Ctrl-D close it; after an answer this comes too late to matter.
    reader.on('close', () => {
      process.stderr.write('\n')
      reject(new Refusal('No password was given, so nothing was changed.'))
    })
    reader.question('', (answer) => {
      resolve(answer)
      reader.close()
    })
  })
}

export function readOrRefuse<Content>(file: string, read: (file: string) => Content): Content {
  try {
    return read(file)
  } catch (cause) {
    throw new Refusal(`${file} cannot be read: ${(cause as Error).message}.`, { cause })
  }
}

export function accountNamed(users: UserService, username: string) {
  const account = users.findByName(username)
  if (!account) throw new Refusal(`There is no user ${username}; "paxlog user list" shows all.`)
  return account
}
