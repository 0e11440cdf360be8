import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { type Authenticate, bearerOf, type Surface } from '../../domain/credentials/authenticate.ts'
import { headerValues } from './headers.ts'
import { isReading } from './methods.ts'

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller
  }
}

type Hook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void

export function identifyBy(authenticate: Authenticate, surface: Surface) {
  const identify: Hook = (request, _reply, done) => {
    const found = authenticate(bearerOf(headerValues(request.raw.rawHeaders, 'authorization'), surface), surface)
    const proceed = (caller: Caller) => {
      request.caller = caller
      done()
    }
    // Credentials in the cache need no promise.
    if (found instanceof Promise) found.then(proceed).catch(done)
    else proceed(found)
  }

  /** The role, the account or the credential may have changed while the body of a write arrived. */
  const identifyAgain: Hook = (request, reply, done) => {
    if (isReading(request.method) || authenticate.holds(request.caller)) done()
    else identify(request, reply, done)
  }

  return { identify, identifyAgain }
}
