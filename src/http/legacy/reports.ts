import type { FastifyRequest } from 'fastify'
import { requireFixedScopes } from '../../access/authorize.ts'
import { TargetQuery } from '../../domain/flights/contract.ts'
import { legacyConcernsOthers } from '../../domain/flights/query/target.ts'
import { UnfilteredExportQuery } from '../../domain/transfer/contract.ts'
import { parseInput } from '../shared/input.ts'
import { begun } from '../shared/large-answers.ts'
import { legacyInstant } from './record.ts'
import type { LegacyOptions, LegacyRoute } from './route.ts'

/** What selects flights by their travellers: its query already completes the challenge. */
export const otherUsers = (query: object) => ({ otherUsers: legacyConcernsOthers(query) })

export function requireReport(request: FastifyRequest, id: 'listFlights' | 'exportFlights' | 'getStats'): void {
  requireFixedScopes(request.caller, id, () => otherUsers(request.query as object))
}

export function reportRoutes({ services: { stats, exports } }: LegacyOptions): LegacyRoute[] {
  return [
    {
      method: 'GET',
      path: '/flight/export',
      operations: ['exportFlights'],
      early: otherUsers,
      successor: '/flights/export',
      async handle(request, reply) {
        requireReport(request, 'exportFlights')
        const query = parseInput({ query: UnfilteredExportQuery }, request).query as UnfilteredExportQuery
        const { type, name, pieces } = exports.runLegacy(request.caller, query, legacyInstant)
        const file = await begun(pieces)
        return reply.type(type).header('content-disposition', `attachment; filename="${name}"`).send(file)
      },
    },
    {
      method: 'GET',
      path: '/stats',
      operations: ['getStats'],
      early: otherUsers,
      successor: '/stats',
      async handle(request, reply) {
        requireReport(request, 'getStats')
        const query = parseInput({ query: TargetQuery }, request).query as TargetQuery
        return reply.send({ success: true, stats: await stats.getLegacy(request.caller, query) })
      },
    },
  ]
}
