import type { FastifyInstance } from 'fastify'

const ALWAYS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'WWW-Authenticate, Retry-After, Location, Content-Disposition',
}

const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS',
  'access-control-allow-headers':
    'Authorization, Content-Type, MCP-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID',
  'access-control-max-age': '600',
}

/**
 * Any origin may call: these paths authenticate from the request itself and never read cookies (contract 1.10).
 * Added before everything else of its plugin, so that errors carry it and OPTIONS is answered before routing.
 */
export function openToEveryOrigin(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(ALWAYS)
    if (request.method !== 'OPTIONS') return done()
    reply.code(204).headers(PREFLIGHT).send()
  })
}
