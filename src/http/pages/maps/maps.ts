import type { UserMap } from '../../../domain/flights/map/user-map.ts'
import { mapData } from './data.ts'
import type { DrawingOptions, MapDrawing } from './draw.ts'
import type { MapChoice } from './map-choice.ts'
import type { PictureTexts } from './picture.tsx'
import { type MapRoute, mapPlace, type PictureFormat } from './plan.ts'

interface MapContent {
  routes: Iterable<MapRoute>
  tracks?: [number, number][][]
}

/** Caches a result with its source: services return the same cached object until the data changes. */
function cachedWith<Options, Result>(make: (content: MapContent, options: Options) => Promise<Result>) {
  const known = new WeakMap<object, Map<string, Promise<Result>>>()
  return function of(source: object, content: () => MapContent, options: Options): Promise<Result> {
    const results = known.get(source) ?? new Map<string, Promise<Result>>()
    known.set(source, results)
    const key = JSON.stringify(options)
    const result = results.get(key) ?? make(content(), options)
    results.set(key, result)
    result.catch(() => results.delete(key))
    return result
  }
}

/** Imported on first use: commands draw no maps. */
export async function drawOnce(
  { routes, tracks }: MapContent,
  options: DrawingOptions,
): Promise<MapDrawing | undefined> {
  const { drawMap } = await import('./draw.ts')
  return drawMap(routes, tracks, options)
}

export const drawingOf = cachedWith(drawOnce)

export interface PictureOptions extends PictureTexts {
  format: PictureFormat
}

export const cachedPicture = cachedWith<PictureOptions, Buffer | undefined>(async (content, options) => {
  const { pictureOf } = await import('./picture.tsx')
  return pictureOf({ ...content, ...options })
})

/** Data without dates. */
export const dataOf = cachedWith<void, string>(({ routes, tracks = [] }) =>
  mapData(
    routes,
    tracks.map((line) => ({ line })),
  ),
)

const contentOf = (own: UserMap): MapContent => ({
  routes: ownRoutes(own),
  tracks: own.tracks.map(({ line }) => line),
})

export const userDrawing = (own: UserMap, choice: MapChoice) => drawingOf(own, () => contentOf(own), choice)

/** Not cached: a user downloads a picture once. */
export async function userPicture(own: UserMap, options: PictureOptions): Promise<Buffer | undefined> {
  const { pictureOf } = await import('./picture.tsx')
  return pictureOf({ ...contentOf(own), ...options })
}

const EMPTY = {}

/** The world without routes. */
export const worldDrawing = (choice: MapChoice) =>
  drawingOf(EMPTY, () => ({ routes: [] }), { ...choice, isEmptyAllowed: true })

/** A generator, because a log may have any number of routes. */
export function* ownRoutes({ routes }: UserMap): Generator<MapRoute> {
  for (const { from, to, ...rest } of routes) yield { ...rest, from: mapPlace(from), to: mapPlace(to) }
}
