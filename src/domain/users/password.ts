import { randomBytes } from 'node:crypto'
import argon2 from 'argon2'
import { Busy } from '../../lib/errors.ts'
import { limitConcurrency } from '../../lib/keyed-queue.ts'
import { english } from '../../messages/english.ts'

const MAX_BYTES = 1024

/** OWASP's minimum for Argon2id. Weaker hashes are upgraded at the next sign-in. */
const PARAMETERS = {
  type: argon2.argon2id,
  memoryCost: 19456,
  timeCost: 2,
  parallelism: 1,
  hashLength: 32,
} as const

export class HashQueueFull extends Busy {
  override name = 'HashQueueFull'

  constructor() {
    super(english.busy.passwords)
  }
}

// Each hash takes 19 MiB and a core for tens of milliseconds.
const enqueue = limitConcurrency(2, 50, () => new HashQueueFull())

// Keyboards compose the same character differently.
const normalize = (password: string) => password.normalize('NFKC')

const hashNow = (password: string): Promise<string> => argon2.hash(normalize(password), PARAMETERS)

export const hashPassword = (password: string): Promise<string> => enqueue(() => hashNow(password))

const isWithinLimit = (password: string) => Buffer.byteLength(password) <= MAX_BYTES

export const samePassword = (one: string, other: string): boolean =>
  isWithinLimit(one) && isWithinLimit(other) && normalize(one) === normalize(other)

const unpadded = (bytes: number) => randomBytes(bytes).toString('base64').replace(/=+$/, '')

// Matches no password, but takes as long to verify.
const DUMMY_HASH = `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}$${unpadded(16)}$${unpadded(PARAMETERS.hashLength)}`

const parameterOf = (hash: string, name: string) => Number(new RegExp(`[$,]${name}=(\\d+)`).exec(hash)?.[1] ?? 0)

const isWeaker = (hash: string) =>
  parameterOf(hash, 'm') < PARAMETERS.memoryCost || parameterOf(hash, 't') < PARAMETERS.timeCost

/** False for accounts that sign in only with the identity provider. */
export const isPasswordHash = (hash: string | undefined): boolean => hash?.startsWith('$argon2id$') ?? false

/** Takes the same time for an unknown user (no hash) and for a password that is too long. */
export function checkPassword(hash: string | undefined, password: string) {
  const canVerify = isPasswordHash(hash) && isWithinLimit(password)
  return enqueue(async (): Promise<{ isCorrect: boolean; upgradedHash?: string }> => {
    if (!canVerify) return { isCorrect: await argon2.verify(DUMMY_HASH, '') }
    const isCorrect = await argon2.verify(hash!, normalize(password))
    return isCorrect && isWeaker(hash!) ? { isCorrect, upgradedHash: await hashNow(password) } : { isCorrect }
  })
}
