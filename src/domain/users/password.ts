import argon2 from 'argon2'

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
export class HashQueueFull extends Error {
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

export const hashPassword = (password: string): Promise<string> => take(() => argon2.hash(normal(password), PARAMETERS))
