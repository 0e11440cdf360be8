import type { FastifyInstance } from 'fastify'
import { authorize } from '../../../../access/authorize.ts'
import { readPageFilter } from '../../components/filter-bar/filter.ts'
import { filterBar } from '../../components/filter-bar/read-filter.ts'
import type { PageContext } from '../../framework/context.ts'
import { alsoAllow } from '../../framework/headers.ts'
import { signedInPages } from '../../framework/signed-in.ts'
import { mapData } from '../../maps/data.ts'
import { ownDrawing, ownRoutes } from '../../maps/maps.ts'
import { MapPage } from './map-page.tsx'

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
