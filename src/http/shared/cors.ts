import cors, { type FastifyCorsOptions } from '@fastify/cors'
import type { FastifyInstance } from 'fastify'

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
  ],
  exposedHeaders: ['WWW-Authenticate', 'Retry-After', 'Location', 'Content-Disposition'],
  maxAge: 600,
  // A bare OPTIONS is answered like a preflight.
  strictPreflight: false,
  hideOptionsRoute: true,
}

/**
 * Any origin may call: these paths authenticate from the request itself and never read cookies (contract 1.10).
 * Registered before everything else of its plugin, so that errors carry it and OPTIONS is answered before routing.
 */
export const openToEveryOrigin = (app: FastifyInstance) => app.register(cors, everyOrigin)
