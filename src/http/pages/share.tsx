import type { FastifyInstance } from 'fastify'
import type { PageOptions } from './plugin.tsx'
import { toHtml } from './views/layout.tsx'
import { SharePage } from './views/share.tsx'

/** The public page of a share; whatever keeps it from being shown, the answer is the same. */
export async function share(app: FastifyInstance, { basePath, shares, visitors }: PageOptions): Promise<void> {
  app.get<{ Params: { slug: string } }>('/share/:slug', async ({ params }, reply) => {
    const found = shares.findLiving(params.slug)
    if (!found) return reply.callNotFound()
    reply.type('text/html; charset=utf-8')
    return toHtml(<SharePage view={await visitors(found)} basePath={basePath} />)
  })
}
