import type { FastifyInstance } from 'fastify'
import { authorize } from '../../../../access/authorize.ts'
import { readPageFilter } from '../../components/filter-bar/filter.ts'
import { FilterBar, NothingFound } from '../../components/filter-bar/filter-bar.tsx'
import { filterBar, type ShownFilter } from '../../components/filter-bar/read-filter.ts'
import { NoFlights } from '../../components/section.tsx'
import type { Frame, PageContext } from '../../framework/context.ts'
import { allowSources } from '../../framework/headers.ts'
import { Layout } from '../../framework/layout.tsx'
import { useTexts } from '../../framework/localization.ts'
import { signedInPages } from '../../framework/signed-in.ts'
import { Atlas, atlasScripts, userAtlas } from '../../maps/atlas.tsx'
import { mapData } from '../../maps/data.ts'
import type { MapDrawing } from '../../maps/draw.ts'
import { mapChoice } from '../../maps/map-choice.ts'
import { ownRoutes, userDrawing } from '../../maps/maps.ts'
import { RouteList } from '../../maps/route-map.tsx'

function MapPage({ shown, map, ...frame }: Frame & { shown: ShownFilter; map: MapDrawing | undefined }) {
  const t = useTexts().map
  const { basePath } = frame
  const bar = { basePath, action: '/map', shown }
  const links = { basePath, query: shown.query }
  return (
    <Layout {...frame} title={t.title} place="map" scripts={map ? atlasScripts : []} wide>
      <h1 class="unseen">{t.title}</h1>
      <FilterBar {...bar} />
      {map && <Atlas drawing={map} {...userAtlas(links)} size="full" />}
      {map && <RouteList lines={map.lines} links={links} />}
      {!map && shown.query !== '' && <NothingFound {...bar} />}
      {!map && shown.query === '' && <NoFlights basePath={basePath} />}
    </Layout>
  )
}

export async function mapPage(app: FastifyInstance, context: PageContext): Promise<void> {
  const { mapOf } = context
  const pages = signedInPages(app, context)
  const readFilter = filterBar(context)

  pages.get('/map', async (visit) => {
    authorize(visit.caller, 'listFlights', { otherUsers: false })
    const shown = await readFilter(visit)
    const map = await userDrawing(await mapOf(visit.caller, shown.filter), mapChoice(visit.request))
    if (map) allowSources(visit.reply, 'worker')
    return visit.send(<MapPage {...visit.frame} shown={shown} map={map} />)
  })

  pages.get('/map/data', async ({ caller, request, reply, formats }) => {
    const own = await mapOf(caller, readPageFilter(request.query).filter)
    const tracks = own.tracks.map(({ from, to, line }) => ({ line, ends: [from.id, to.id] as [number, number] }))
    reply.type('application/json; charset=utf-8')
    return mapData(ownRoutes(own), tracks, { formats, flown: own.flown, airlinesAt: own.airlinesAt })
  })
}
