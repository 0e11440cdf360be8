import type { FastifyInstance } from 'fastify'
import type { PageContext } from './context.ts'
import { requireCaller } from './session.ts'
import { firstOf } from './views/navigation.tsx'

/** Addresses that people guess: each leads to the page that is meant. */
export async function ways(app: FastifyInstance, { basePath, routes }: PageContext): Promise<void> {
  app.get('/settings', async (request, reply) => {
    const { permissions } = requireCaller(request)
    return reply.redirect(basePath + (firstOf('Settings', permissions) ?? '/'), 303)
  })

  app.get('/admin', async (request, reply) => {
    const { permissions } = requireCaller(request)
    const first = firstOf('Administration', permissions)
    return reply.redirect(first ? basePath + first : routes.home, 303)
  })

  // With its query: a filter stays one.
  app.get('/flights', async (request, reply) => {
    requireCaller(request)
    const [, query] = request.url.split(/\?(.*)/s)
    return reply.redirect(query ? `${basePath}/?${query}` : routes.home, 303)
  })
}
