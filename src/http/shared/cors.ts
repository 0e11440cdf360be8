import cors, { type FastifyCorsOptions } from '@fastify/cors'
import type { FastifyInstance } from 'fastify'

const EXPOSED = ['WWW-Authenticate', 'Retry-After', 'Location', 'Content-Disposition', 'ETag', 'Idempotency-Replayed']

/** For answers that the plugin does not see, such as those to requests with two hosts. */
export const corsHeaders = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': EXPOSED.join(', '),
} as const

export const errorHeaders = { ...corsHeaders, 'cache-control': 'private, no-store' } as const

const corsOptions: FastifyCorsOptions = {
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

/** Safe, because these paths never read cookies (contract 1.10). Must come first, so that errors have the headers. */
export const allowAllOrigins = (app: FastifyInstance) => app.register(cors, corsOptions)
