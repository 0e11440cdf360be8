/** Whoever draws a map keeps the drawing with what it was drawn from. */
const BYTES_OF_DRAWING = 256 * 1024
const BYTES_OF_ROUTE = 512
const BYTES_OF_POINT = 64

/** About how much memory is taken by what a map is drawn from, together with the drawing. */
export function mapBytes(routes: readonly unknown[], lines: readonly (readonly unknown[])[] = []): number {
  const points = lines.reduce((sum, line) => sum + line.length, 0)
  return BYTES_OF_DRAWING + routes.length * BYTES_OF_ROUTE + points * BYTES_OF_POINT
}
