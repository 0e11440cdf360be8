import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { type Authenticate, bearerOf, type Surface } from '../../domain/credentials/authenticate.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
}

/** Node keeps only the first of two Authorization headers; the raw list shows them all. */
function authorizationHeaders(rawHeaders: readonly string[]): string[] {
  const found: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!
    if (name.length === 13 && name.toLowerCase() === 'authorization') found.push(rawHeaders[index + 1]!)
  }
  return found
}

type Identify = ReturnType<typeof identifyBy>

/**
 * The same once more when a body was waited for, which may take half a minute: whose role was changed, or whose account
 * or credential was taken away meanwhile, is not who was let in.
 */
export const identifyAfterBody =
  (identify: Identify): Identify =>
  (request, reply, done) =>
    request.body === undefined ? done() : identify(request, reply, done)

/** A hook that puts the caller on the request, or fails with the 401 of contract 8. */
export function identifyBy(authenticate: Authenticate, surface: Surface) {
  return function identify(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
    const found = authenticate(bearerOf(authorizationHeaders(request.raw.rawHeaders)), surface)
    const proceed = (caller: Caller) => {
      request.caller = caller
      done()
    }
    // Most callers are known at once; a promise for each of them would cost more than the look-up.
    if (found instanceof Promise) found.then(proceed).catch(done)
    else proceed(found)
  }
}
