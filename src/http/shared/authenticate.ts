import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { type Authenticate, bearerOf, type Surface } from '../../domain/credentials/authenticate.ts'
import { isReading } from './methods.ts'
import { rawValues } from './raw-headers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
}

type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void

export function identifyBy(authenticate: Authenticate, surface: Surface) {
  /** A hook that puts the caller on the request, or fails with the 401 of contract 8. */
  const identify: Hook = (request, _reply, done) => {
    const found = authenticate(bearerOf(rawValues(request.raw.rawHeaders, 'authorization'), surface), surface)
    const proceed = (caller: Caller) => {
      request.caller = caller
      done()
    }
    // Most callers are known at once; a promise for each of them would cost more than the look-up.
    if (found instanceof Promise) found.then(proceed).catch(done)
    else proceed(found)
  }

  /**
   * Identifies the caller of a write again when the body has arrived: that may take many seconds, and the role, the account
   * or the credential may have changed meanwhile.
   */
  const identifyAgain: Hook = (request, reply, done) => {
    if (isReading(request.method) || authenticate.holds(request.caller)) done()
    else identify(request, reply, done)
  }

  return { identify, identifyAgain }
}
