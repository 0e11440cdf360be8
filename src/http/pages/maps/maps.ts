import type { UserMap } from '../../../domain/flights/map/user-map.ts'
import { mapData } from './data.ts'
import type { Close, MapDrawing } from './draw.ts'
import { type MapRoute, mapPlace } from './plan.ts'

interface Drawn {
  routes: Iterable<MapRoute>
  tracks?: [number, number][][]
  close?: Close
}

/** Caches a result with its source: services return the same cached object until the data changes. */
function cachedWith<Result>(make: (drawn: Drawn) => Promise<Result>) {
  const known = new WeakMap<object, Promise<Result>>()
  return function of(source: object, drawn: () => Drawn): Promise<Result> {
    const result = known.get(source) ?? make(drawn())
    known.set(source, result)
    result.catch(() => known.delete(source))
    return result
  }
}

// Imported on first use: commands draw no maps.
export const drawingOf = cachedWith<MapDrawing | undefined>(async ({ routes, tracks, close }) => {
  const { drawMap } = await import('./draw.ts')
  return drawMap(routes, tracks, close)
})

export const pictureOf = cachedWith<Buffer | undefined>(async ({ routes, tracks }) => {
  const { previewOf } = await import('./picture.tsx')
  return previewOf(routes, tracks)
})

/** Data for the map script of a page that shows no dates. */
export const dataOf = cachedWith<string>(async ({ routes, tracks = [] }) =>
  mapData(
    routes,
    tracks.map((line) => ({ line })),
  ),
)

/** One's own log, or the part of it that a filter lets through. */
export const ownDrawing = (own: UserMap) =>
  drawingOf(own, () => ({ routes: ownRoutes(own), tracks: own.tracks.map(({ line }) => line) }))

/** Made as they are drawn: a log may have any number of them. */
export function* ownRoutes({ routes }: UserMap): Generator<MapRoute> {
  for (const { from, to, ...rest } of routes) yield { ...rest, from: mapPlace(from), to: mapPlace(to) }
}
