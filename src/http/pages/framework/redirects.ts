import type { FastifyInstance } from 'fastify'
import type { PageContext } from './context.ts'
import { firstOf } from './navigation.tsx'
import { signedInPages } from './signed-in.ts'

export async function redirects(app: FastifyInstance, context: PageContext): Promise<void> {
  const { basePath, routes } = context
  const pages = signedInPages(app, context)

  pages.get('/settings', ({ caller, redirect }) => redirect(firstOf('settings', caller.permissions) ?? '/'))

  pages.get('/admin', ({ caller, reply, redirect }) => {
    const first = firstOf('administration', caller.permissions)
    return first ? redirect(first) : reply.redirect(routes.home, 303)
  })

  pages.get('/flights', ({ request, reply }) => {
    const [, query] = request.url.split(/\?(.*)/s)
    return reply.redirect(query ? `${basePath}/?${query}` : routes.home, 303)
  })
}
