import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OperationId, SomeFacts } from '../../access/policy.ts'
import type { Authenticate } from '../../domain/credentials/authenticate.ts'
import type { FlightService } from '../../domain/flights/service.ts'
import type { ReferenceService } from '../../domain/reference/service.ts'
import type { StatsService } from '../../domain/stats/service.ts'
import type { ExportService } from '../../domain/transfer/export.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

export interface LegacyRoute {
  method: 'GET' | 'POST'
  path: string
  operations: readonly OperationId[]
  early?: (query: object) => SomeFacts
  successor: string
  handle: (request: FastifyRequest, reply: FastifyReply) => unknown
}

export interface LegacyOptions {
  services: {
    flights: FlightService
    stats: StatsService
    exports: ExportService
    reference: ReferenceService
    credentials: { authenticate: Authenticate }
  }
  baseUrl: string
  basePath: string
  /** Objects for airline and aircraft, and seats, for every key; otherwise a setting of the key (contract 6.3). */
  objects: boolean
}

declare module 'fastify' {
  interface FastifyContextConfig {
    legacy?: Pick<LegacyRoute, 'operations' | 'successor' | 'early'>
  }
}

/** Everything below these paths of /api is legacy, also unknown paths. */
export const roots = [
  { root: '/flight', successor: '/flights' },
  { root: '/stats', successor: '/stats' },
] as const

/** Deprecated since 2026-01-01 (RFC 9745). */
const DEPRECATION = '@1767225600'

export const successorLink = (baseUrl: string, path: string) => `<${baseUrl}/api/v1${path}>; rel="successor-version"`

export const answerHeaders = (baseUrl: string, successor: string) => ({
  'cache-control': 'private, no-store',
  deprecation: DEPRECATION,
  link: successorLink(baseUrl, successor),
})
