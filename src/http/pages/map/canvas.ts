import { promisify } from 'node:util'
import { crc32, deflate } from 'node:zlib'
import type { GeoContext } from 'd3-geo'
import { turns } from '../../../lib/turns.ts'

export type Colour = readonly [red: number, green: number, blue: number]
type Spot = [x: number, y: number]
type Line = Spot[]

/** Collects what d3 draws as lines of pixels. */
export function lineCollector(scale: number) {
  const lines: Line[] = []
  const context: GeoContext = {
    beginPath: () => undefined,
    moveTo: (x, y) => lines.push([[x * scale, y * scale]]),
    lineTo: (x, y) => lines.at(-1)!.push([x * scale, y * scale]),
    closePath: () => lines.at(-1)!.push(lines.at(-1)![0]!),
    arc: () => undefined,
  }
  return { context, lines }
}

const clamp = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value))

const LONGEST = 32

/** Around a long slanting line there is much that it does not touch, so it is drawn in pieces. */
function inPieces([ax, ay]: Spot, [bx, by]: Spot, draw: (from: Spot, to: Spot) => void): void {
  const pieces = Math.max(1, Math.ceil(Math.hypot(bx - ax, by - ay) / LONGEST))
  const at = (part: number): Spot => [ax + ((bx - ax) * part) / pieces, ay + ((by - ay) * part) / pieces]
  for (let piece = 0; piece < pieces; piece++) draw(at(piece), at(piece + 1))
}

/** Pixels between two looks at the clock. */
const STRETCH = 4096

/** A picture that is painted with soft edges, without any library of pictures, and with turns for others in between. */
export function canvas(width: number, height: number, ground: Colour) {
  const pixels = Buffer.alloc(width * height * 3, Buffer.from(ground))
  const turn = turns()

  function blend(pixel: number, [red, green, blue]: Colour, cover: number): void {
    const at = pixel * 3
    pixels[at] = pixels[at]! + (red - pixels[at]!) * cover
    pixels[at + 1] = pixels[at + 1]! + (green - pixels[at + 1]!) * cover
    pixels[at + 2] = pixels[at + 2]! + (blue - pixels[at + 2]!) * cover
  }

  /** Adds the area to the right of one edge: how much of each pixel it covers, row by row. */
  function edge(area: Float32Array, [x0, y0]: Spot, [x1, y1]: Spot): void {
    if (y0 === y1) return
    const down = y0 < y1 ? 1 : -1
    const [topX, topY, endX, endY] = down === 1 ? [x0, y0, x1, y1] : [x1, y1, x0, y0]
    const slope = (endX - topX) / (endY - topY)
    for (let row = Math.max(0, Math.floor(topY)); row < Math.min(height, Math.ceil(endY)); row++) {
      const [from, to] = [Math.max(row, topY), Math.min(row + 1, endY)]
      const tall = (to - from) * down
      const middle = clamp(topX + ((from + to) / 2 - topY) * slope, 0, width - 1e-3)
      const column = Math.floor(middle)
      const within = 1 - (middle - column)
      const at = row * (width + 1) + column
      area[at]! += tall * within
      area[at + 1]! += tall * (1 - within)
    }
  }

  /** Fills closed lines. */
  async function fill(lines: readonly Line[], colour: Colour): Promise<void> {
    const area = new Float32Array((width + 1) * height)
    for (const line of lines) {
      for (let next = 1; next < line.length; next++) edge(area, line[next - 1]!, line[next]!)
      if (turn.isOver()) await turn.end()
    }
    for (let row = 0; row < height; row++) {
      if (turn.isOver()) await turn.end()
      let cover = 0
      for (let column = 0; column < width; column++) {
        cover += area[row * (width + 1) + column]!
        if (Math.abs(cover) > 0.004) blend(row * width + column, colour, Math.min(1, Math.abs(cover)))
      }
    }
  }

  // How much of each pixel the lines being drawn cover, and which pixels those are.
  const mask = new Float32Array(width * height)
  let touched: number[] = []

  function segment(from: Spot, to: Spot, radius: number): void {
    const [ax, ay] = from
    const [dx, dy] = [to[0] - ax, to[1] - ay]
    const length = dx * dx + dy * dy
    const reach = radius + 1
    const [left, right] = [Math.max(0, Math.floor(Math.min(ax, to[0]) - reach)), Math.max(ax, to[0]) + reach]
    const [top, bottom] = [Math.max(0, Math.floor(Math.min(ay, to[1]) - reach)), Math.max(ay, to[1]) + reach]
    for (let y = top; y < Math.min(height, bottom); y++) {
      for (let x = left; x < Math.min(width, right); x++) {
        const [px, py] = [x + 0.5 - ax, y + 0.5 - ay]
        const part = length === 0 ? 0 : clamp((px * dx + py * dy) / length, 0, 1)
        const [offX, offY] = [px - part * dx, py - part * dy]
        const cover = clamp(radius + 0.5 - Math.sqrt(offX * offX + offY * offY), 0, 1)
        const pixel = y * width + x
        if (cover <= mask[pixel]!) continue
        if (mask[pixel] === 0) touched.push(pixel)
        mask[pixel] = cover
      }
    }
  }

  /** Draws lines with round ends; where they cross each other the colour does not build up. A single point is a dot. */
  async function stroke(lines: readonly Line[], thickness: number, colour: Colour, opacity = 1): Promise<void> {
    const radius = Math.max(thickness, 1) / 2
    for (const line of lines) {
      for (let next = Math.min(1, line.length - 1); next < line.length; next++) {
        inPieces(line[Math.max(0, next - 1)]!, line[next]!, (from, to) => segment(from, to, radius))
        if (turn.isOver()) await turn.end()
      }
    }
    for (const [index, pixel] of touched.entries()) {
      if (index % STRETCH === 0 && turn.isOver()) await turn.end()
      blend(pixel, colour, mask[pixel]! * opacity * Math.min(1, thickness))
      mask[pixel] = 0
    }
    touched = []
  }

  /** Puts another picture into this one, where it must have room. */
  function place(other: { pixels: Buffer; width: number; height: number }, left: number, top: number): void {
    for (let row = 0; row < other.height; row++) {
      const from = row * other.width * 3
      pixels.set(other.pixels.subarray(from, from + other.width * 3), ((top + row) * width + left) * 3)
    }
  }

  return { fill, stroke, place, pixels, width, height, png: () => pngOf(pixels, width, height) }
}

const compress = promisify(deflate)

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** Eight bits a colour, each row as it is: flat colours compress well without more. */
async function pngOf(pixels: Uint8Array, width: number, height: number): Promise<Buffer> {
  const rows = Buffer.alloc((width * 3 + 1) * height)
  for (let row = 0; row < height; row++) {
    rows.set(pixels.subarray(row * width * 3, (row + 1) * width * 3), row * (width * 3 + 1) + 1)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const data = await compress(rows, { level: 8 })
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))])
}
