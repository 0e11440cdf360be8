interface Spot {
  x: number
  y: number
  text: string
  /** The side without a line: 1 is right. */
  free?: 1 | -1
}

export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

export interface Label extends Spot {
  anchor: 'start' | 'middle' | 'end'
  box: Box
}

interface Room {
  width: number
  height: number
  fontSize: number
  most: number
}

/** Widths of bold letters in the widest common font, relative to the font size. */
const widths: Record<string, number> = { I: 0.4, J: 0.4, M: 1, W: 1.12 }
const widthOf = (text: string) =>
  [...text].reduce((sum, letter) => sum + (widths[letter] ?? (/[A-Z0-9]/.test(letter) ? 0.85 : 1.12)), 0)

/** The average width of a text in the font of the pages, relative to the font size. */
export const textWidth = (text: string): number =>
  [...text].reduce((sum, letter) => sum + (letter > '\u2e80' ? 1 : 0.58), 0)

/** The gap applies horizontally. */
const overlap = (a: Box, b: Box, gap = 0) =>
  a.left < b.right + gap && b.left < a.right + gap && a.top < b.bottom && b.top < a.bottom

export const isFreeOf = (box: Box, others: readonly Box[]): boolean => !others.some((other) => overlap(box, other, 4))

/** Directions from the spot, best first. */
const sides = [
  [1, 0],
  [-1, 0],
  [0, -1],
  [0, 1],
  [1, -1],
  [1, 1],
  [-1, -1],
  [-1, 1],
] as const

const sidesOf = ({ free }: Spot) =>
  free === undefined ? sides : sides.toSorted(([a], [b]) => Number(a === -free) - Number(b === -free))

function labelAt({ x, y, text }: Spot, [across, down]: readonly [number, number], fontSize: number): Label {
  const width = widthOf(text) * fontSize
  const away = fontSize * 0.55
  const anchor = across === 1 ? 'start' : across === -1 ? 'end' : 'middle'
  const at = x + across * (down === 0 ? away : away * 0.7)
  const middle = y + down * (across === 0 ? fontSize * 1.05 : fontSize * 0.75)
  const left = anchor === 'start' ? at : anchor === 'end' ? at - width : at - width / 2
  return {
    text,
    anchor,
    x: at,
    y: middle + fontSize * 0.36,
    box: { left, top: middle - fontSize * 0.55, right: left + width, bottom: middle + fontSize * 0.55 },
  }
}

/** Places labels without overlaps, earlier spots first. As a last resort a label covers a later spot. */
export function placeLabels(spots: readonly Spot[], { width, height, fontSize, most }: Room): Label[] {
  const reach = fontSize * 0.3
  const dots = spots.map(({ x, y }) => ({ left: x - reach, top: y - reach, right: x + reach, bottom: y + reach }))
  const placed: Label[] = []
  const isFree = ({ box }: Label) =>
    box.left >= 2 &&
    box.top >= 2 &&
    box.right <= width - 2 &&
    box.bottom <= height - 2 &&
    !placed.some((other) => overlap(box, other.box, fontSize * 0.2))
  for (const [index, spot] of spots.entries()) {
    if (placed.length >= most) break
    const free = sidesOf(spot)
      .map((side) => labelAt(spot, side, fontSize))
      .filter(isFree)
    const covers = ({ box }: Label, others: readonly Box[]) => others.some((dot) => overlap(box, dot))
    const others = dots.filter((_, other) => other !== index)
    const found =
      free.find((label) => !covers(label, others)) ?? free.find((label) => !covers(label, dots.slice(0, index)))
    if (found) placed.push(found)
  }
  return placed
}
