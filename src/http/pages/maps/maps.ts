import type { UserMap } from '../../../domain/flights/map/user-map.ts'
import { mapData } from './data.ts'
import type { FlightMapOptions, MapDrawing } from './draw.ts'
import { type MapRoute, mapPlace } from './plan.ts'

interface MapContent {
  routes: Iterable<MapRoute>
  tracks?: [number, number][][]
  close?: FlightMapOptions
}

/** Caches a result with its source: services return the same cached object until the data changes. */
function cachedWith<Result>(make: (content: MapContent) => Promise<Result>) {
  const known = new WeakMap<object, Promise<Result>>()
  return function of(source: object, content: () => MapContent): Promise<Result> {
    const result = known.get(source) ?? make(content())
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

/** Data without dates. */
export const dataOf = cachedWith<string>(async ({ routes, tracks = [] }) => {
  const lines = tracks.map((line) => ({ line }))
  return mapData(routes, lines)
})

export const userDrawing = (own: UserMap) =>
  drawingOf(own, () => ({ routes: ownRoutes(own), tracks: own.tracks.map(({ line }) => line) }))

/** A generator, because a log may have any number of routes. */
export function* ownRoutes({ routes }: UserMap): Generator<MapRoute> {
  for (const { from, to, ...rest } of routes) yield { ...rest, from: mapPlace(from), to: mapPlace(to) }
}
