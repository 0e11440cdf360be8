/**
 * Letters for pictures, drawn as lines with round ends: no font is shipped, and none is asked of the machine. A letter is six
 * units high and as wide as its first number says. Strokes are parted by blanks; a stroke is points `x,y` joined by lines, and
 * `@x,y,rx,ry,from,to` stands for the points of a part of an ellipse, in degrees clockwise from the right.
 */
const glyphs: Readonly<Record<string, string>> = {
  A: '4 0,6;2,0;4,6 0.7,4;3.3,4',
  B: '3.6 0,0;0,6;@2,4.5,1.6,1.5,90,-90;0,3 0,0;@1.8,1.5,1.5,1.5,-90,90',
  C: '3.8 @2.2,3,2.2,3,-45,-315',
  D: '3.9 0,0;0,6;@1.2,3,2.7,3,90,-90;0,0',
  E: '3.2 3.2,0;0,0;0,6;3.2,6 0,3;2.7,3',
  F: '3.1 3.1,0;0,0;0,6 0,3;2.6,3',
  G: '4.4 @2.2,3,2.2,3,-45,-360;2.6,3',
  H: '3.8 0,0;0,6 3.8,0;3.8,6 0,3;3.8,3',
  I: '0 0,0;0,6',
  J: '2.6 2.6,0;@1.3,4.6,1.3,1.4,0,170',
  K: '3.6 0,0;0,6 3.5,0;0,3.8 1.3,2.6;3.6,6',
  L: '3 0,0;0,6;3,6',
  M: '4.6 0,6;0,0;2.3,4;4.6,0;4.6,6',
  N: '3.9 0,6;0,0;3.9,6;3.9,0',
  O: '4.6 @2.3,3,2.3,3,0,360',
  P: '3.5 0,6;0,0;@1.8,1.7,1.7,1.7,-90,90;0,3.4',
  Q: '4.6 @2.3,3,2.3,3,0,360 2.8,4.4;4.6,6.3',
  R: '3.6 0,6;0,0;@1.8,1.6,1.6,1.6,-90,90;0,3.2 1.8,3.2;3.6,6',
  S: '3.5 @1.8,1.55,1.55,1.55,-30,-270;@1.75,4.5,1.75,1.5,-90,150',
  T: '3.8 0,0;3.8,0 1.9,0;1.9,6',
  U: '3.8 0,0;@1.9,4.1,1.9,1.9,180,0;3.8,0',
  V: '4 0,0;2,6;4,0',
  W: '5.8 0,0;1.4,6;2.9,1;4.4,6;5.8,0',
  X: '3.8 0,0;3.8,6 3.8,0;0,6',
  Y: '3.8 0,0;1.9,3.2;3.8,0 1.9,3.2;1.9,6',
  Z: '3.6 0,0;3.6,0;0,6;3.6,6',
  0: '3.6 @1.8,3,1.8,3,0,360',
  1: '1.8 0,1.3;1.8,0;1.8,6',
  2: '3.4 @1.7,1.7,1.7,1.7,-165,35;0,6;3.4,6',
  3: '3.4 @1.6,1.5,1.5,1.5,-150,90;1.3,3 @1.6,4.5,1.8,1.5,-90,150',
  4: '3.8 2.8,6;2.8,0;0,4.3;3.8,4.3',
  5: '3.4 3.1,0;0.5,0;0.3,2.7;@1.6,4.1,1.8,1.9,-125,145',
  6: '3.5 @1.75,4.2,1.75,1.8,-180,180;@3.3,4.2,3.3,4.2,-180,-110',
  7: '3.4 0,0;3.4,0;1.1,6',
  8: '3.5 @1.75,1.5,1.45,1.5,0,360 @1.75,4.5,1.75,1.5,0,360',
  9: '3.5 @1.75,1.8,1.75,1.8,0,360;@0.2,1.8,3.3,4.2,0,70',
  '.': '0.2 0.1,6;0.1,6',
  ',': '0.5 0.4,5.9;0.1,6.9',
  ':': '0.2 0.1,2.2;0.1,2.2 0.1,5.6;0.1,5.6',
  '-': '1.8 0,3.3;1.8,3.3',
  '–': '2.6 0,3.3;2.6,3.3',
  '+': '2.8 0,3.3;2.8,3.3 1.4,1.9;1.4,4.7',
  '/': '2.2 0,6.4;2.2,-0.4',
  '%': '5.2 1.2,6;4,0 @0.9,1.3,0.9,1.3,0,360 @4.3,4.7,0.9,1.3,0,360',
  '(': '1.2 @3,3,3,4,-225,-135',
  ')': '1.2 @-1.8,3,3,4,-45,45',
  "'": '0.2 0.1,0;0.1,1.4',
  '→': '4.4 0,3.3;4.4,3.3 3,1.9;4.4,3.3;3,4.7',
  ' ': '1.6',
}

const [HEIGHT, BETWEEN, ARC_STEP] = [6, 1.6, 12]

type Spot = [x: number, y: number]

function arcOf([cx, cy, rx, ry, from, to]: number[]): Spot[] {
  const steps = Math.max(2, Math.ceil(Math.abs(to! - from!) / ARC_STEP))
  return Array.from({ length: steps + 1 }, (_, index) => {
    const angle = ((from! + ((to! - from!) * index) / steps) * Math.PI) / 180
    return [cx! + rx! * Math.cos(angle), cy! + ry! * Math.sin(angle)]
  })
}

function strokeOf(text: string): Spot[] {
  return text.split(';').flatMap((part) => {
    const numbers = part.replace('@', '').split(',').map(Number)
    return part.startsWith('@') ? arcOf(numbers) : [[numbers[0]!, numbers[1]!] as Spot]
  })
}

interface Glyph {
  width: number
  strokes: Spot[][]
}

const known = new Map(
  Object.entries(glyphs).map(([letter, text]): [string, Glyph] => {
    const [width = '', ...strokes] = text.split(' ')
    return [letter, { width: Number(width), strokes: strokes.map(strokeOf) }]
  }),
)

/** Small letters are drawn as capitals, and without their accents; what is not known leaves a gap. */
const glyphsOf = (text: string): Glyph[] =>
  [...text.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase().replaceAll('\u00a0', ' ')].map(
    (letter) => known.get(letter) ?? known.get(' ')!,
  )

/** How wide a text is whose capitals are so many pixels high. */
export const textWidth = (text: string, size: number) => {
  const all = glyphsOf(text)
  return ((all.reduce((sum, { width }) => sum + width, 0) + BETWEEN * (all.length - 1)) * size) / HEIGHT
}

export interface Writing {
  text: string
  x: number
  /** Where the capitals begin. */
  y: number
  size: number
  anchor?: 'start' | 'middle' | 'end'
}

/** The lines that a text consists of, in pixels. */
export function linesOfText({ text, x, y, size, anchor = 'start' }: Writing): Spot[][] {
  const scale = size / HEIGHT
  const width = textWidth(text, size)
  let at = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2
  return glyphsOf(text).flatMap(({ width: own, strokes }) => {
    const left = at
    at += (own + BETWEEN) * scale
    return strokes.map((stroke) => stroke.map(([px, py]): Spot => [left + px * scale, y + py * scale]))
  })
}
