import type { UserMap } from '../../domain/flights/user-map.ts'
import { mapData } from './map/data.ts'
import type { Close, MapDrawing } from './map/draw.ts'
import { type MapRoute, mapPlace } from './map/plan.ts'

interface Drawn {
  routes: Iterable<MapRoute>
  tracks?: [number, number][][]
  close?: Close
}

/** Drawings are kept with what they were drawn from, which stays the same object until something is written. */
function kept<Result>(make: (drawn: Drawn) => Promise<Result>) {
  const known = new WeakMap<object, Promise<Result>>()
  return function of(source: object, drawn: () => Drawn): Promise<Result> {
    const result = known.get(source) ?? make(drawn())
    known.set(source, result)
    // A failure must not stay.
    result.catch(() => known.delete(source))
    return result
  }
}

// What draws maps, and the outlines of the earth, are no part of a start: commands need none of them.
export const drawingOf = kept<MapDrawing | undefined>(async ({ routes, tracks, close }) => {
  const { drawMap } = await import('./map/draw.ts')
  return drawMap(routes, tracks, close)
})

export const pictureOf = kept<Buffer | undefined>(async ({ routes, tracks }) => {
  const { previewOf } = await import('./map/picture.tsx')
  return previewOf(routes, tracks)
})

/** What the script of the map draws on a page that tells no days. */
export const dataOf = kept<string>(async ({ routes, tracks = [] }) =>
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
