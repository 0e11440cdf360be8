import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { runCommand } from '../../src/cli/run.ts'
import type { Finished, RunOptions } from './process.ts'

const names = ['stdin', 'stdout', 'stderr', 'env'] as const

/** Replaces the streams and environment of the process during the work. */
async function withProcessProperties<Result>(
  replacements: Record<(typeof names)[number], unknown>,
  work: () => Promise<Result>,
) {
  const { exitCode } = process
  const originals = names.map((name) => [name, Object.getOwnPropertyDescriptor(process, name)!] as const)
  for (const name of names) {
    Object.defineProperty(process, name, { value: replacements[name], configurable: true, writable: true })
  }
  try {
    return await work()
  } finally {
    for (const [name, descriptor] of originals) Object.defineProperty(process, name, descriptor)
    process.exitCode = exitCode
  }
}

async function execute(args: readonly string[], { env, input }: CommandOptions): Promise<Finished> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const output = Promise.all([text(stdout), text(stderr)])
  const stdin = Readable.from(input ? [Buffer.from(input)] : [])
  const code = await withProcessProperties({ stdin, stdout, stderr, env: { ...env } }, async () => {
    await runCommand([...args])
    return process.exitCode as number
  })
  stdout.end()
  stderr.end()
  const [out, errors] = await output
  return { code, signal: null, stdout: out, stderr: errors }
}

type CommandOptions = Pick<RunOptions, 'env' | 'input'>

let last: Promise<unknown> = Promise.resolve()

/**
 * Runs a command like `cli`, but in this process, which is ten times faster. Commands run one after the other, because they
 * share the streams of the process.
 */
export function command(args: readonly string[], options: CommandOptions = {}): Promise<Finished> {
  const finished = last.then(() => execute(args, options))
  last = finished.catch(() => undefined)
  return finished
}
