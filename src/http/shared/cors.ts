import cors, { type FastifyCorsOptions } from '@fastify/cors'
import type { FastifyInstance } from 'fastify'

const EXPOSED = ['WWW-Authenticate', 'Retry-After', 'Location', 'Content-Disposition', 'ETag', 'Idempotency-Replayed']

/** What the plugin below adds to every answer, for the few that it never sees. */
export const openHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED.join(', '),
} as const

/** The same with how they are cached, for refusals: two hosts are refused before any plugin sees the request. */
export const refusalHeaders = { ...openHeaders, 'cache-control': 'private, no-store' } as const

const everyOrigin: FastifyCorsOptions = {
  origin: '*',
  methods: ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'],
  allowedHeaders: [
    'Authorization',
    'Content-Type',
    'MCP-Protocol-Version',
    'Mcp-Session-Id',
    'Mcp-Method',
    'Mcp-Name',
    'Last-Event-ID',
    'If-Match',
    'If-None-Match',
    'Idempotency-Key',
  ],
  exposedHeaders: EXPOSED,
  maxAge: 600,
  // A bare OPTIONS is answered like a preflight.
  strictPreflight: false,
  hideOptionsRoute: true,
}

/**
 * Any origin may call: these paths authenticate from the request itself and never read cookies (contract 1.10).
 * Registered before everything else of its plugin but its error handler, so that errors carry it and OPTIONS is answered
 * before routing.
 */
export const openToEveryOrigin = (app: FastifyInstance) => app.register(cors, everyOrigin)
