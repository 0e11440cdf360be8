import { type DestinationStream, type Logger, pino } from 'pino'
import { lineBatches } from './line-batches.ts'

/** Members that may hold a secret wherever they turn up in a logged object. */
const SECRETS = new Set([
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'code',
  'code_verifier',
  'token',
  'access_token',
  'refresh_token',
  'client_secret',
  'key',
  'csrf',
])

const DEEPEST = 5

type Members = Record<string, unknown>

const isPlain = (value: unknown): value is Members =>
  typeof value === 'object' &&
  value !== null &&
  [Object.prototype, Array.prototype, null].includes(Object.getPrototypeOf(value))

/**
 * A copy with the secrets blotted out, or the object itself when it holds none. Errors are left alone, since their
 * `code` tells what failed. The logger's own redaction takes thirty times as long, on every request.
 */
function withoutSecrets(object: Members, depth = 1): Members {
  let copy: Members | undefined
  for (const [name, value] of Object.entries(object)) {
    let safe = value
    if (SECRETS.has(name.toLowerCase())) safe = '[hidden]'
    else if (isPlain(value)) safe = depth < DEEPEST ? withoutSecrets(value, depth + 1) : '[hidden]'
    if (safe === value) continue
    copy ??= Array.isArray(object) ? ([...object] as unknown as Members) : { ...object }
    copy[name] = safe
  }
  return copy ?? object
}

/** JSON lines. */
export const createLogger = (level: string, destination: DestinationStream = lineBatches()): Logger =>
  pino({ level, base: undefined, formatters: { log: withoutSecrets } }, destination)

/**
 * How to write lines of one message, whose members are JSON already, or undefined where the level leaves them out. For what
 * every request says: the logger's own way takes three times as long.
 */
export function infoLines(logger: Logger, message: string): ((members: string) => void) | undefined {
  if (!logger.isLevelEnabled('info')) return undefined
  const { streamSym, chindingsSym } = pino.symbols
  const { [streamSym]: stream, [chindingsSym]: bindings } = logger as unknown as Record<symbol, unknown>
  const { batch, write } = stream as DestinationStream & { batch?: DestinationStream['write'] }
  const start = `{"level":${pino.levels.values.info},"time":`
  const end = `,"msg":${JSON.stringify(message)}}\n`
  return (members) => (batch ?? write).call(stream, `${start}${Date.now()}${bindings},${members}${end}`)
}

/** The same, or readable lines when a person watches. */
export async function createWatchedLogger(level: string): Promise<Logger> {
  if (!process.stdout.isTTY) return createLogger(level)
  const { default: pretty } = await import('pino-pretty')
  return createLogger(level, pretty({ singleLine: true, sync: true }))
}
