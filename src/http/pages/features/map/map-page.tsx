import { FilterBar, NothingFound } from '../../components/filter-bar/filter-bar.tsx'
import type { ShownFilter } from '../../components/filter-bar/read-filter.ts'
import { NoFlights } from '../../components/section.tsx'
import type { Frame } from '../../framework/context.ts'
import { Layout } from '../../framework/layout.tsx'
import { Atlas, atlasScripts, ownAtlas } from '../../maps/atlas.tsx'
import type { MapDrawing } from '../../maps/draw.ts'
import { RouteList } from '../../maps/route-map.tsx'

interface Props extends Frame {
  shown: ShownFilter
  map: MapDrawing | undefined
}

export function MapPage({ shown, map, ...frame }: Props) {
  const { basePath } = frame
  const bar = { basePath, action: '/map', shown }
  const links = { basePath, query: shown.query }
  return (
    <Layout {...frame} title="Map – Paxlog" place="map" scripts={map ? atlasScripts : []} wide>
      <h1 class="unseen">Map</h1>
      <FilterBar {...bar} />
      {map && <Atlas drawing={map} {...ownAtlas(links)} size="full" />}
      {map && <RouteList lines={map.lines} links={links} />}
      {!map && shown.query !== '' && <NothingFound {...bar} />}
      {!map && shown.query === '' && <NoFlights basePath={basePath} />}
    </Layout>
  )
}
