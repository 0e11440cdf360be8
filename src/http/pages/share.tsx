import type { FastifyInstance } from 'fastify'
import { notFound } from '../../lib/errors.ts'
import type { PageContext } from './plugin.tsx'
import { toHtml } from './views/layout.tsx'
import { SharePage } from './views/share.tsx'

/** The public page of a share; whatever keeps it from being shown, the answer is the same. */
export async function share(app: FastifyInstance, { basePath, shares, visitors }: PageContext): Promise<void> {
  app.get<{ Params: { slug: string } }>('/share/:slug', async ({ params }, reply) => {
    const found = shares.findLiving(params.slug)
    if (!found) throw notFound('share')
    reply.type('text/html; charset=utf-8')
    return toHtml(<SharePage view={await visitors(found)} basePath={basePath} />)
  })
}
