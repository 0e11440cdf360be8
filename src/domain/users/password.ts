import { randomBytes } from 'node:crypto'
import argon2 from 'argon2'
import { Busy } from '../../lib/errors.ts'

const MOST_BYTES = 1024

/** OWASP's minimum for Argon2id; a stored hash with less is renewed at the next sign-in. */
const PARAMETERS = {
  type: argon2.argon2id,
  memoryCost: 19456,
  timeCost: 2,
  parallelism: 1,
  hashLength: 32,
} as const

const AT_ONCE = 2
const MOST_WAITING = 50

/** Too many passwords wait for their hash; the caller may try again in a moment. */
export class HashQueueFull extends Busy {
  constructor() {
    super('Too many passwords are waiting for their hash; try again in a few seconds.')
    this.name = 'HashQueueFull'
  }
}

/** Each hash takes 19 MiB and a core for tens of milliseconds: two at once, the others wait in line. */
function inLine() {
  let running = 0
  const waiting: (() => void)[] = []
  return async function take<Result>(work: () => Promise<Result>): Promise<Result> {
    if (running >= AT_ONCE) {
      if (waiting.length >= MOST_WAITING) throw new HashQueueFull()
      // A finished hash hands its place to the first in line, so the count stays as it is.
      await new Promise<void>((resolve) => waiting.push(resolve))
    } else {
      running++
    }
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}

const take = inLine()

// Two keyboards may compose the same character differently.
const normal = (password: string) => password.normalize('NFKC')

const hashNow = (password: string): Promise<string> => argon2.hash(normal(password), PARAMETERS)

export const hashPassword = (password: string): Promise<string> => take(() => hashNow(password))

/** Nobody has a longer one, so that it is like no other. */
const isPossible = (password: string) => Buffer.byteLength(password) <= MOST_BYTES

export const samePassword = (one: string, other: string): boolean =>
  isPossible(one) && isPossible(other) && normal(one) === normal(other)

const unpadded = (bytes: number) => randomBytes(bytes).toString('base64').replace(/=+$/, '')

// No password has this hash; checking one against it takes as long as against any other.
const NOBODY = `$argon2id$v=19$m=${PARAMETERS.memoryCost},t=${PARAMETERS.timeCost},p=${PARAMETERS.parallelism}$${unpadded(16)}$${unpadded(PARAMETERS.hashLength)}`

const parameterOf = (hash: string, name: string) => Number(new RegExp(`[$,]${name}=(\\d+)`).exec(hash)?.[1] ?? 0)

const isWeaker = (hash: string) =>
  parameterOf(hash, 'm') < PARAMETERS.memoryCost || parameterOf(hash, 't') < PARAMETERS.timeCost

interface Verdict {
  right: boolean
  /** A hash with today's parameters, when the stored one has weaker ones. */
  renewed?: string
}

/** Accounts that sign in at an identity provider have none. */
export const isPasswordHash = (hash: string | undefined): boolean => hash?.startsWith('$argon2id$') ?? false

/** Does the same work for an unknown user (no hash) and a password that nobody can have. */
export function checkPassword(hash: string | undefined, password: string): Promise<Verdict> {
  const possible = isPasswordHash(hash) && isPossible(password)
  return take(async () => {
    if (!possible) return { right: await argon2.verify(NOBODY, '') }
    const right = await argon2.verify(hash!, normal(password))
    return right && isWeaker(hash!) ? { right, renewed: await hashNow(password) } : { right }
  })
}
