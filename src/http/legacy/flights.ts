import type { FastifyRequest } from 'fastify'
import { requireFixedScopes } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import { IdParams } from '../../contract/common.ts'
import { TargetQuery } from '../../domain/flights/contract.ts'
import { parseInput } from '../shared/input.ts'
import { begun } from '../shared/large-answers.ts'
import { LegacyDelete, LegacySave, namesFlight } from './contract.ts'
import { toFlightWrite, toPassengers } from './convert.ts'
import { parseBody } from './errors.ts'
import { flightSerializer } from './record.ts'
import { otherUsers, requireReport } from './reports.ts'
import { JSON_TYPE, type LegacyOptions, type LegacyRoute, successorLink } from './route.ts'

/** The list has no pages: it is written while it is sent. */
async function* listBytes(pieces: AsyncIterable<readonly Buffer[]>): AsyncGenerator<Buffer> {
  const comma = Buffer.from(',')
  let start = Buffer.from('{"success":true,"flights":[')
  for await (const flights of pieces) {
    if (flights.length === 0) continue
    const parts: Buffer[] = [start]
    for (const flight of flights) {
      if (parts.length > 1) parts.push(comma)
      parts.push(flight)
    }
    yield Buffer.concat(parts)
    start = comma
  }
  yield Buffer.from(start === comma ? ']}' : `${start}]}`)
}

export function flightRoutes({ services, objects, baseUrl }: LegacyOptions): LegacyRoute[] {
  const { flights, reference } = services
  const [plain, withObjects] = [flightSerializer(false, reference), flightSerializer(true, reference)]
  const forms = {
    plain: { name: 'legacy', write: plain },
    withObjects: { name: 'legacy-objects', write: withObjects },
  }
  const formFor = ({ credential }: Caller) => (objects || credential.legacyObjects ? forms.withObjects : forms.plain)

  async function save({ caller, body }: FastifyRequest): Promise<{ success: true; id?: number }> {
    requireFixedScopes(caller, namesFlight(body) ? 'updateFlight' : 'createFlight')
    const parsed = parseBody(LegacySave, body)
    const { id, track } = parsed
    const passengers = toPassengers(parsed, caller)
    if (id === null) {
      flights.decide.create(caller, { passengers, track })
      const made = await flights.create(caller, toFlightWrite(parsed, passengers, reference))
      return { success: true, id: made.id }
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
        requireReport(request, 'listFlights')
        const query = parseInput({ query: TargetQuery }, request).query as TargetQuery
        const pieces = listBytes(flights.unpaged(request.caller, query, formFor(request.caller)))
        const list = await begun(pieces)
        return reply.type(JSON_TYPE).send(list)
      },
    },
    {
      method: 'GET',
      path: '/flight/get/{id}',
      operations: ['getFlight'],
      successor: '/flights/{id}',
      handle(request, reply) {
        const { caller } = request
        requireFixedScopes(caller, 'getFlight')
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
      async handle(request, reply) {
        requireFixedScopes(request.caller, 'deleteFlight')
        const { id } = parseBody(LegacyDelete, request.body)
        await flights.remove(request.caller, id)
        return reply.send({ success: true })
      },
    },
  ]
}
