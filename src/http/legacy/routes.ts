import type { FastifyRequest } from 'fastify'
import { requireFixedScopes } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import { IdParams } from '../../contract/common.ts'
import { TargetQuery } from '../../domain/flights/contract.ts'
import { legacyConcernsOthers } from '../../domain/flights/query/target.ts'
import { UnfilteredExportQuery } from '../../domain/transfer/contract.ts'
import { parseInput } from '../shared/input.ts'
import { startStream } from '../shared/large-answers.ts'
import { LegacyDelete, LegacySave, namesFlight } from './contract.ts'
import { toFlightWrite, toPassengers } from './convert.ts'
import { parseBody } from './errors.ts'
import { flightSerializer, legacyInstant } from './record.ts'
import { JSON_TYPE, type LegacyOptions, type LegacyRoute, successorLink } from './route.ts'

/** Streamed, because the list has no pages. */
async function* listBytes(pieces: AsyncIterable<readonly Buffer[]>): AsyncGenerator<Buffer> {
  const comma = Buffer.from(',')
  let start = Buffer.from('{"success":true,"flights":[')
  for await (const flights of pieces) {
    if (flights.length === 0) continue
    const parts = flights.flatMap((flight) => [comma, flight])
    yield Buffer.concat([start, ...parts.slice(1)])
    start = comma
  }
  yield Buffer.from(start === comma ? ']}' : `${start}]}`)
}

/** The query completes the challenge before authentication. */
const otherUsers = (query: object) => ({ otherUsers: legacyConcernsOthers(query) })

export function legacyRoutes({ services, objects, baseUrl }: LegacyOptions): LegacyRoute[] {
  const { flights, reference, stats, exports } = services
  const plain = { name: 'legacy', write: flightSerializer(false, reference) }
  const withObjects = { name: 'legacy-objects', write: flightSerializer(true, reference) }
  const formFor = ({ credential }: Caller) => (objects || credential.legacyObjects ? withObjects : plain)

  async function save({ caller, body }: FastifyRequest): Promise<{ success: true; id?: number }> {
    requireFixedScopes(caller, namesFlight(body) ? 'updateFlight' : 'createFlight')
    const parsed = parseBody(LegacySave, body)
    const { id, track } = parsed
    const passengers = toPassengers(parsed, caller)
    if (id === null) {
      flights.decide.create(caller, { passengers, track })
      const created = await flights.create(caller, toFlightWrite(parsed, passengers, reference))
      return { success: true, id: created.id }
    }
    flights.decide.update(caller, id, { passengers, track })
    await flights.update(caller, id, toFlightWrite(parsed, passengers, reference))
    return { success: true }
  }

  return [
    {
      method: 'GET',
      path: '/flight/list',
      operations: ['listFlights'],
      early: otherUsers,
      successor: '/flights',
      async handle(request, reply) {
        const query = parseInput({ query: TargetQuery }, request).query as TargetQuery
        const pieces = listBytes(flights.unpaged(request.caller, query, formFor(request.caller)))
        return reply.type(JSON_TYPE).send(await startStream(pieces))
      },
    },
    {
      method: 'GET',
      path: '/flight/get/{id}',
      operations: ['getFlight'],
      successor: '/flights/{id}',
      handle(request, reply) {
        const { caller } = request
        const { id } = parseInput({ params: IdParams }, request).params as { id: number }
        const text = `{"success":true,"flight":${formFor(caller).write(flights.get(caller, id))}}`
        return reply.type(JSON_TYPE).serializer(String).send(text)
      },
    },
    {
      method: 'POST',
      path: '/flight/save',
      operations: ['createFlight', 'updateFlight'],
      successor: '/flights',
      handle(request, reply) {
        const { id } = (request.body ?? {}) as { id?: unknown }
        if (Number.isSafeInteger(id)) reply.header('link', successorLink(baseUrl, `/flights/${id}`))
        return save(request)
      },
    },
    {
      method: 'POST',
      path: '/flight/delete',
      operations: ['deleteFlight'],
      successor: '/flights',
      async handle({ caller, body }) {
        await flights.remove(caller, parseBody(LegacyDelete, body).id)
        return { success: true }
      },
    },
    {
      method: 'GET',
      path: '/flight/export',
      operations: ['exportFlights'],
      early: otherUsers,
      successor: '/flights/export',
      async handle(request, reply) {
        const query = parseInput({ query: UnfilteredExportQuery }, request).query as UnfilteredExportQuery
        const { type, name, pieces } = exports.runLegacy(request.caller, query, legacyInstant)
        const file = await startStream(pieces)
        return reply.type(type).header('content-disposition', `attachment; filename="${name}"`).send(file)
      },
    },
    {
      method: 'GET',
      path: '/stats',
      operations: ['getStats'],
      early: otherUsers,
      successor: '/stats',
      async handle(request) {
        const query = parseInput({ query: TargetQuery }, request).query as TargetQuery
        return { success: true, stats: await stats.getLegacy(request.caller, query) }
      },
    },
  ]
}
