import type { Frame } from '../context.ts'
import type { ShownFilter } from '../filter-bar.ts'
import type { MapDrawing } from '../map/draw.ts'
import { Atlas, atlasScripts, ownAtlas } from './atlas.tsx'
import { FilterBar, NothingFound } from './filter-bar.tsx'
import { Layout } from './layout.tsx'
import { RouteList } from './route-map.tsx'
import { NoFlights } from './section.tsx'

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
