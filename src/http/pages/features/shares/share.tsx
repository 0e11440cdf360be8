import type { FastifyInstance } from 'fastify'
import { defaultPreferences } from '../../../../domain/preferences/contract.ts'
import { LISTED_AT_ONCE } from '../../../../domain/shares/visitor.ts'
import { notFound } from '../../../../lib/errors.ts'
import type { PageContext } from '../../framework/context.ts'
import { type Formats, pageFormats } from '../../framework/formats.ts'
import { alsoAllow } from '../../framework/headers.ts'
import { sendHtml, toHtml } from '../../framework/layout.tsx'
import { dataOf, drawingOf, pictureOf } from '../../maps/maps.ts'
import { SharePage } from './share-page.tsx'

interface ShareRequest {
  Params: { slug: string }
  Querystring: { page?: unknown }
}

function pageOf(text: unknown): number {
  if (text === undefined) return 1
  if (typeof text !== 'string' || !/^[1-9]\d{0,5}$/.test(text)) throw notFound('share')
  return Number(text)
}

/** The public page of a share. Unknown, expired and disabled shares get the same answer. */
export async function share(app: FastifyInstance, context: PageContext): Promise<void> {
  const { baseUrl, basePath, shares, visitors } = context

  function living(slug: string) {
    const found = shares.findActive(slug)
    if (!found) throw notFound('share')
    return found
  }

  async function draw(found: ReturnType<typeof living>, page: number, formats: Formats): Promise<string> {
    const { map, ...view } = await visitors.view(found, page)
    const pages = view.list ? Math.max(1, Math.ceil(view.flightCount / LISTED_AT_ONCE)) : 1
    if (page > pages) throw notFound('share')
    // Loaded on demand to keep the start fast.
    const { worldCountries, worldSize } = await import('../../maps/world.ts')
    const isFar = view.countries?.includes('AQ') ?? false
    return toHtml(
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
  }

  app.get<ShareRequest>('/share/:slug', async ({ params, query, headers }, reply) => {
    const found = living(params.slug)
    const formats = pageFormats(defaultPreferences, headers['accept-language'])
    const page = pageOf(query.page)
    const html = await draw(found, page, formats)
    if (found.showMap) alsoAllow(reply, 'worker')
    return sendHtml(reply, 200, html)
  })

  /** Contains nothing that the picture does not show. */
  app.get<ShareRequest>('/share/:slug/map.json', async ({ params }, reply) => {
    const map = await visitors.map(living(params.slug))
    if (!map || map.routes.length === 0) throw notFound('share')
    return reply.type('application/json; charset=utf-8').send(await dataOf(map, () => map))
  })

  /** The preview picture of a link. */
  app.get<ShareRequest>('/share/:slug/map.png', async ({ params }, reply) => {
    const found = living(params.slug)
    const map = await visitors.map(found)
    const picture = map && (await pictureOf(map, () => map))
    if (!picture) throw notFound('share')
    return reply.type('image/png').send(picture)
  })
}
