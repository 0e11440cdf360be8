import type { FastifyInstance } from 'fastify'
import { defaultPreferences } from '../../domain/preferences/contract.ts'
import { LISTED_AT_ONCE } from '../../domain/shares/visitor.ts'
import { notFound } from '../../lib/errors.ts'
import type { PageContext } from './context.ts'
import { type Formats, pageFormats } from './formats.ts'
import { alsoAllow } from './headers.ts'
import { dataOf, drawingOf, pictureOf } from './maps.ts'
import { sendHtml, toHtml } from './views/layout.tsx'
import { SharePage } from './views/share.tsx'

interface ShareRequest {
  Params: { slug: string }
  Querystring: { page?: unknown }
}

/** Pages of the list count from 1; anything else is no page. */
function pageOf(text: unknown): number {
  if (text === undefined) return 1
  if (typeof text !== 'string' || !/^[1-9]\d{0,5}$/.test(text)) throw notFound('share')
  return Number(text)
}

/** The public page of a share; whatever keeps it from being shown, the answer is the same. */
export async function share(app: FastifyInstance, context: PageContext): Promise<void> {
  const { baseUrl, basePath, shares, visitors } = context

  function living(slug: string) {
    const found = shares.findLiving(slug)
    if (!found) throw notFound('share')
    return found
  }

  async function draw(found: ReturnType<typeof living>, page: number, formats: Formats): Promise<Buffer> {
    const { map, ...view } = await visitors.view(found, page)
    const pages = view.list ? Math.max(1, Math.ceil(view.flightCount / LISTED_AT_ONCE)) : 1
    if (page > pages) throw notFound('share')
    // What draws maps is no part of a start.
    const { worldCountries, worldSize } = await import('./map/world.ts')
    const isFar = view.countries?.includes('AQ') ?? false
    const html = toHtml(
      <SharePage
        basePath={basePath}
        url={`${baseUrl}/share/${found.slug}`}
        view={view}
        drawing={map && (await drawingOf(map, () => map))}
        world={view.countries && { shapes: await worldCountries(), size: worldSize(isFar) }}
        part={{ page, pages, path: `${basePath}/share/${found.slug}` }}
        formats={formats}
      />,
    )
    return Buffer.from(html)
  }

  app.get<ShareRequest>('/share/:slug', async ({ params, query, headers }, reply) => {
    const found = living(params.slug)
    const formats = pageFormats(defaultPreferences, headers['accept-language'])
    const page = pageOf(query.page)
    // Strangers open a link again and again; whether the share is to be seen at all was asked before.
    const html = await visitors.page(found, `${page} ${formats.style}`, () => draw(found, page, formats))
    if (found.showMap) alsoAllow(reply, 'worker')
    return sendHtml(reply, 200, html)
  })

  /** What the script of the map draws: nothing that the picture does not show. */
  app.get<ShareRequest>('/share/:slug/map.json', async ({ params }, reply) => {
    const map = await visitors.map(living(params.slug))
    if (!map || map.routes.length === 0) throw notFound('share')
    return reply.type('application/json; charset=utf-8').send(await dataOf(map, () => map))
  })

  /** The map again for those who show a picture beside a link. It holds no words, and nothing that the page hides. */
  app.get<ShareRequest>('/share/:slug/map.png', async ({ params }, reply) => {
    const found = living(params.slug)
    const map = await visitors.map(found)
    const picture = map && (await pictureOf(map, () => map))
    if (!picture) throw notFound('share')
    return reply.type('image/png').send(picture)
  })
}
