import type { FastifyInstance } from 'fastify'
import { authorize } from '../../access/authorize.ts'
import type { PageContext } from './context.ts'
import { readPageFilter } from './filter.ts'
import { filterBar } from './filter-bar.ts'
import { alsoAllow } from './headers.ts'
import { mapData } from './map/data.ts'
import { ownDrawing, ownRoutes } from './maps.ts'
import { signedInPages } from './signed-in.ts'
import { MapPage } from './views/map-page.tsx'

export async function mapPage(app: FastifyInstance, context: PageContext): Promise<void> {
  const { mapOf } = context
  const pages = signedInPages(app, context)
  const readFilter = filterBar(context)

  pages.get('/map', async (visit) => {
    authorize(visit.caller, 'listFlights', { otherUsers: false })
    const shown = await readFilter(visit)
    const map = await ownDrawing(await mapOf(visit.caller, shown.filter))
    if (map) alsoAllow(visit.reply, 'worker')
    return visit.send(<MapPage {...visit.frame} shown={shown} map={map} />)
  })

  pages.get('/map/data', async ({ caller, request, reply, formats }) => {
    const own = await mapOf(caller, readPageFilter(request.query).filter)
    const tracks = own.tracks.map(({ from, to, line }) => ({ line, ends: [from.id, to.id] as [number, number] }))
    reply.type('application/json; charset=utf-8')
    return mapData(ownRoutes(own), tracks, formats)
  })
}
