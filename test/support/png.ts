import { inflateSync } from 'node:zlib'

interface Extent {
  left: number
  top: number
  right: number
  bottom: number
}

type Filter = (left: number, up: number, upLeft: number) => number

const paeth: Filter = (left, up, upLeft) => {
  const estimate = left + up - upLeft
  const [a, b, c] = [Math.abs(estimate - left), Math.abs(estimate - up), Math.abs(estimate - upLeft)]
  return a <= b && a <= c ? left : b <= c ? up : upLeft
}

const filters: readonly Filter[] = [
  () => 0,
  (left) => left,
  (_left, up) => up,
  (left, up) => Math.floor((left + up) / 2),
  paeth,
]

/** Reads a PNG with 8 bits per channel and no interlacing, with or without an alpha channel. */
export function decodePng(png: Buffer) {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const channels = { 2: 3, 6: 4 }[png[25] as 2 | 6]
  const parts: Buffer[] = []
  for (let at = 8; at < png.length; at += 12 + png.readUInt32BE(at)) {
    const length = png.readUInt32BE(at)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') parts.push(png.subarray(at + 8, at + 8 + length))
  }
  const bytes = inflateSync(Buffer.concat(parts))
  const stride = width * channels
  const pixels = new Uint8Array(stride * height)
  for (let y = 0; y < height; y++) {
    const filter = filters[bytes[y * (stride + 1)]!]!
    for (let x = 0; x < stride; x++) {
      const at = y * stride + x
      const left = x >= channels ? pixels[at - channels]! : 0
      const up = y > 0 ? pixels[at - stride]! : 0
      const upLeft = x >= channels && y > 0 ? pixels[at - stride - channels]! : 0
      pixels[at] = bytes[y * (stride + 1) + 1 + x]! + filter(left, up, upLeft)
    }
  }
  const colourAt = (x: number, y: number) => [...pixels.subarray(y * stride + x * channels).subarray(0, 3)]

  /** The extent of the pixels of a colour. */
  function extentOf(hex: string): Extent {
    const [red, green, blue] = Buffer.from(hex.slice(1), 'hex')
    const extent = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
    for (let at = 0; at < pixels.length; at += channels) {
      if (pixels[at] !== red || pixels[at + 1] !== green || pixels[at + 2] !== blue) continue
      const [x, y] = [(at % stride) / channels, Math.floor(at / stride)]
      extent.left = Math.min(extent.left, x)
      extent.right = Math.max(extent.right, x)
      extent.top = Math.min(extent.top, y)
      extent.bottom = Math.max(extent.bottom, y)
    }
    return extent
  }

  return { width, height, colourAt, extentOf }
}
