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

type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void

export function identifyBy(authenticate: Authenticate, surface: Surface) {
  /** A hook that puts the caller on the request, or fails with the 401 of contract 8. */
  const identify: Hook = (request, _reply, done) => {
    const found = authenticate(bearerOf(authorizationHeaders(request.raw.rawHeaders), surface), surface)
    const proceed = (caller: Caller) => {
      request.caller = caller
      done()
    }
    // Most callers are known at once; a promise for each of them would cost more than the look-up.
    if (found instanceof Promise) found.then(proceed).catch(done)
    else proceed(found)
  }

  /**
   * The same once more when a body was waited for, which may take half a minute: whose role was changed, or whose
   * account or credential was taken away meanwhile, is not who was let in.
   */
  const identifyAfterBody: Hook = (request, reply, done) => {
    if (request.body === undefined || authenticate.holds(request.caller)) done()
    else identify(request, reply, done)
  }

  return { identify, identifyAfterBody }
}
