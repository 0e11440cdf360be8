import type { FastifyCorsOptions } from '@fastify/cors'

/** Any origin may call: these paths authenticate from the request itself and never read cookies (contract 1.10). */
export const openCors: FastifyCorsOptions = {
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
}
