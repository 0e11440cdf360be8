import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { type Authenticate, bearerOf } from '../../domain/credentials/authenticate.ts'

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

/** Puts the caller on the request, or throws the 401 of contract 8. */
export function identify(request: FastifyRequest, authenticate: Authenticate): void {
  request.caller = authenticate(bearerOf(authorizationHeaders(request.raw.rawHeaders)))
}
