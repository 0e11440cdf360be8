import { type DestinationStream, type Logger, pino } from 'pino'
import pretty from 'pino-pretty'

/** Members that may hold a secret wherever they turn up in a logged object. */
const SECRETS = [
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
]

/** JSON lines, or readable ones when a person watches. */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const redact = SECRETS.flatMap((name) => [`["${name}"]`, `*["${name}"]`, `*.*["${name}"]`])
  const out = destination ?? (process.stdout.isTTY ? pretty({ singleLine: true }) : pino.destination(1))
  return pino({ level, redact, base: undefined }, out)
}
