/** Drawings are cached with their data. */
const BYTES_PER_DRAWING = 256 * 1024
const BYTES_PER_ROUTE = 512
const BYTES_PER_POINT = 64

export function mapBytes(routes: readonly unknown[], lines: readonly (readonly unknown[])[] = []): number {
  const points = lines.reduce((sum, line) => sum + line.length, 0)
  return BYTES_PER_DRAWING + routes.length * BYTES_PER_ROUTE + points * BYTES_PER_POINT
}
