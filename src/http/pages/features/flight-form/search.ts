import type { FastifyInstance } from 'fastify'
import { lookup } from '../../components/lookup.ts'
import type { PageContext } from '../../framework/context.ts'
import { signedInPages } from '../../framework/signed-in.ts'
import { numberLookup } from './numbers.ts'

const paths = { airport: '/search/airports', airline: '/search/airlines', aircraft: '/search/aircraft' } as const

/** Suggestions for the script of the pages: the search of v1, authorized by the session. */
export async function search(app: FastifyInstance, context: PageContext): Promise<void> {
  const found = lookup(context)
  const pages = signedInPages(app, context)
  const numbers = numberLookup(context.flightNumbers, found)
  for (const [kind, path] of Object.entries(paths) as [keyof typeof paths, string][]) {
    pages.get<{ Querystring: { q?: unknown } }>(path, async ({ caller, request, reply }) => {
      const { q = '' } = request.query
      reply.type('application/json; charset=utf-8')
      return JSON.stringify(await found.search(caller, kind, String(q)))
    })
  }

  type NumberRequest = { Querystring: { number?: unknown; date?: unknown } }
  pages.get<NumberRequest>('/search/flight-numbers', ({ caller, request, reply }) => {
    const { number = '', date = '' } = request.query
    reply.type('application/json; charset=utf-8')
    return JSON.stringify(numbers.find(caller, String(number), String(date)))
  })
}
