import type { FastifyInstance } from 'fastify'
import { authorize } from '../../access/authorize.ts'
import type { PageContext } from './context.ts'
import { readPageFilter } from './filter.ts'
import { filterBar } from './filter-bar.ts'
import { alsoAllow } from './headers.ts'
import { mapData } from './map/data.ts'
import { ownDrawing, ownRoutes } from './maps.ts'
import { requireCaller } from './session.ts'
import { signedInPages } from './signed-in.ts'
import { sendPage } from './views/layout.tsx'
import { MapPage } from './views/map-page.tsx'

/** One's own flights on a map as large as the window, and what its script draws. */
export async function mapPage(app: FastifyInstance, context: PageContext): Promise<void> {
  const { mapOf } = context
  const { frame } = signedInPages(context)
  const readFilter = filterBar(context)

  app.get('/map', async (request, reply) => {
    const caller = requireCaller(request)
    authorize(caller, 'listFlights', { otherUsers: false })
    const page = frame(request, caller)
    const shown = await readFilter(caller, request.query, page.formats)
    const map = await ownDrawing(await mapOf(caller, shown.filter))
    if (map) alsoAllow(reply, 'worker')
    return sendPage(reply, 200, <MapPage {...page} shown={shown} map={map} />)
  })

  app.get('/map/data', async (request, reply) => {
    const caller = requireCaller(request)
    const own = await mapOf(caller, readPageFilter(request.query).filter)
    const tracks = own.tracks.map(({ from, to, line }) => ({ line, ends: [from.id, to.id] as [number, number] }))
    reply.type('application/json; charset=utf-8')
    return mapData(ownRoutes(own), tracks, frame(request, caller).formats)
  })
}
