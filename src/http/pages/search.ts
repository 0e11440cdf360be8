import type { FastifyInstance } from 'fastify'
import type { PageContext } from './context.ts'
import { lookup } from './flight-form/lookup.ts'
import { numberLookup } from './flight-form/numbers.ts'
import { requireCaller } from './session.ts'

const paths = { airport: '/search/airports', airline: '/search/airlines', aircraft: '/search/aircraft' } as const

/** Suggestions while somebody types, for the script of the pages: the search of v1, opened by the session. */
export async function search(app: FastifyInstance, context: PageContext): Promise<void> {
  const found = lookup(context)
  const { search: find } = found
  const numbers = numberLookup(context.flightNumbers, found)
  for (const [kind, path] of Object.entries(paths) as [keyof typeof paths, string][]) {
    app.get<{ Querystring: { q?: unknown } }>(path, async (request, reply) => {
      const caller = requireCaller(request)
      const { q = '' } = request.query
      reply.type('application/json; charset=utf-8')
      return JSON.stringify(await find(caller, kind, String(q)))
    })
  }

  app.get<{ Querystring: { number?: unknown; date?: unknown } }>('/search/flight-numbers', async (request, reply) => {
    const caller = requireCaller(request)
    const { number = '', date = '' } = request.query
    reply.type('application/json; charset=utf-8')
    return JSON.stringify(numbers.find(caller, String(number), String(date)))
  })
}
