import type { FastifyInstance } from 'fastify'
import type { PageOptions } from './plugin.ts'
import { toHtml } from './views/layout.tsx'
import { NotFoundPage } from './views/not-found.tsx'
import { SharePage } from './views/share.tsx'

/** The public page of a share; whatever keeps it from being shown, the answer is the same. */
export async function share(app: FastifyInstance, { basePath, shares, visitorView }: PageOptions): Promise<void> {
  app.get<{ Params: { slug: string } }>('/share/:slug', async ({ params }, reply) => {
    reply.type('text/html; charset=utf-8')
    const found = shares.findLiving(params.slug)
    if (!found) return reply.code(404).send(toHtml(<NotFoundPage basePath={basePath} />))
    return toHtml(<SharePage view={await visitorView(found)} basePath={basePath} />)
  })
}
