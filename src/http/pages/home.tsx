import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import type { PageContext } from './plugin.tsx'
import { requireCaller } from './session.ts'
import { signedInPages } from './signed-in.ts'
import { HomePage } from './views/home.tsx'
import { sendPage } from './views/layout.tsx'

const NEWEST = 20

export async function home(app: FastifyInstance, context: PageContext): Promise<void> {
  const { basePath, flights, stats, routes } = context
  const { frame } = signedInPages(context)

  /** What the role does not permit is not asked for at all. */
  function logOf(caller: Caller) {
    if (!caller.permissions.has('flight.read.own')) return undefined
    const { data, page } = flights.list(caller, { scope: 'mine', limit: NEWEST })
    return { stats: stats.get(caller, { scope: 'mine' }), flights: data, hasMore: page.nextCursor !== null }
  }

  app.get('/', async (request, reply) => {
    const caller = requireCaller(request)
    return sendPage(
      reply,
      200,
      <HomePage
        {...frame(request, caller)}
        hasReference={routes.nextPage(`${basePath}/docs`) !== undefined}
        caller={caller}
        log={logOf(caller)}
      />,
    )
  })
}
