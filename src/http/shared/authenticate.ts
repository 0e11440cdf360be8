import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { type Authenticate, bearerOf, type Surface } from '../../domain/credentials/authenticate.ts'
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
   * The same once more when a body was waited for, which may take half a minute: whose role was changed, or whose
   * account or credential was taken away meanwhile, is not who was let in.
   */
  const identifyAfterBody: Hook = (request, reply, done) => {
    if (request.body === undefined || authenticate.holds(request.caller)) done()
    else identify(request, reply, done)
  }

  return { identify, identifyAfterBody }
}
