import type { MapDrawing } from './map/draw.ts'
import type { MapRoute } from './map/plan.ts'

interface Drawn {
  routes: readonly MapRoute[]
  tracks?: [number, number][][]
}

/**
 * Drawings are kept with what they were drawn from, which stays the same object until something is written. The map makers
 * and the outlines of the earth are loaded with the first map and not before: most starts of the program draw none.
 */
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

export const drawingOf = kept<MapDrawing | undefined>(async ({ routes, tracks }) => {
  const { drawMap } = await import('./map/draw.ts')
  return drawMap(routes, tracks)
})

export const pictureOf = kept<Buffer | undefined>(async ({ routes, tracks }) => {
  const { paintMap } = await import('./map/picture.ts')
  return paintMap(routes, tracks)
})
