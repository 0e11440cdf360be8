import { addressOf } from '../components/filter-bar/filter.ts'
import { assets } from '../framework/assets.ts'
import { useScriptTexts, useTexts } from '../framework/localization.ts'
import type { MapDrawing } from './draw.ts'
import { PROJECTION_COOKIE } from './map-choice.ts'
import { MapLegend } from './map-legend.tsx'
import { type LogLinks, RouteMap } from './route-map.tsx'

interface Props {
  basePath: string
  drawing: MapDrawing
  data: string
  log?: { path: string; query: string }
  /** As large as the window, or as low as the picture. */
  size?: 'full' | 'low'
}

export const atlasScripts = [assets.mapLoader]

export const userAtlas = ({ basePath, query }: LogLinks) => ({
  basePath,
  data: basePath + addressOf('/map/data', query),
  log: { path: `${basePath}/`, query },
})

/** A picture that a script turns into an interactive map. */
export function Atlas({ basePath, drawing, data, log, size }: Props) {
  const { lines, routeCount, view, otherView, language } = drawing
  const t = useTexts().scripts.map
  const paths = {
    data,
    coarse: basePath + assets.worldCoarse.path,
    fine: basePath + assets.worldFine.path,
    detail: basePath + assets.worldDetail.path,
    labels: basePath + assets.mapLabels[language].path,
    fonts: [basePath + assets.font.path, basePath + assets.fontExtended.path],
  }
  return (
    <>
      <div
        class={['atlas', size, view.isWhole && 'whole'].filter(Boolean).join(' ')}
        data-script={basePath + assets.map.path}
        data-worker={basePath + assets.mapWorker.path}
        data-paths={JSON.stringify(paths)}
        data-views={JSON.stringify([view, otherView])}
        data-cookie={`${PROJECTION_COOKIE}={projection}; path=${basePath || '/'}; max-age=31536000; samesite=lax`}
        data-texts={useScriptTexts('map')}
        {...(log && { 'data-log': log.path, 'data-query': log.query })}
      >
        <RouteMap drawing={drawing} />
      </div>
      <MapLegend drawing={drawing} />
      <p class="quiet drawn" data-drawn hidden={lines.length === routeCount}>
        {t.drawn({ drawn: lines.length, all: routeCount })}
      </p>
    </>
  )
}
