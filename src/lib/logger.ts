import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { type DestinationStream, type Logger, pino } from 'pino'

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

const MAX_DEPTH = 5

type Members = Record<string, unknown>

const isPlainObject = (value: unknown): value is Members =>
  typeof value === 'object' &&
  value !== null &&
  [Object.prototype, Array.prototype, null].includes(Object.getPrototypeOf(value))

/** Errors are not redacted because their `code` is needed. Pino's own redaction takes thirty times as long. */
function redact(object: Members, depth = 1): Members {
  let copy: Members | undefined
  for (const [name, value] of Object.entries(object)) {
    let safe = value
    if (SECRETS.has(name.toLowerCase())) safe = '[hidden]'
    else if (isPlainObject(value)) safe = depth < MAX_DEPTH ? redact(value, depth + 1) : '[hidden]'
    if (safe === value) continue
    copy ??= Array.isArray(object) ? ([...object] as unknown as Members) : { ...object }
    copy[name] = safe
  }
  return copy ?? object
}

/** Standard output in batches. Lines beyond `maxLength` are dropped while its reader is stalled. */
const batchedOutput = () =>
  pino
    .destination({ dest: 1, sync: false, minLength: 8192, maxLength: 4 * 1024 * 1024, periodicFlush: 200 })
    // A full disk or a closed pipe must not end the server.
    .on('error', () => undefined)

export const createLogger = (
  level: string,
  destination: DestinationStream & { flush?: () => void } = batchedOutput(),
): Logger =>
  pino(
    {
      level,
      base: undefined,
      formatters: { log: redact },
      hooks: {
        logMethod(args, method, lineLevel) {
          method.apply(this, args)
          if (lineLevel >= pino.levels.values.warn!) destination.flush?.()
        },
      },
    },
    destination,
  )

export interface Log {
  logger: Logger
  close: () => Promise<void>
}

export async function openLog(level: string): Promise<Log> {
  if (process.stdout.isTTY) {
    const { default: pretty } = await import('pino-pretty')
    return { logger: createLogger(level, pretty({ singleLine: true, sync: true })), close: async () => undefined }
  }
  const output = batchedOutput()
  async function close(): Promise<void> {
    output.end()
    const closed = once(output, 'close').catch(() => undefined)
    await Promise.race([closed, wait(500)])
    // Otherwise pino would wait for a stalled reader when the process exits.
    output.destroy()
  }
  return { logger: createLogger(level, output), close }
}
