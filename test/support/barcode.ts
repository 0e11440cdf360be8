import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { prepareZXingModule, type WriterOptions, writeBarcode } from 'zxing-wasm/writer'

const wasm = readFileSync(fileURLToPath(import.meta.resolve('zxing-wasm/writer/zxing_writer.wasm')))

type Format = 'Aztec' | 'PDF417' | 'QRCode' | 'DataMatrix'

function write(text: string, options: WriterOptions) {
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } })
  return writeBarcode(text, options)
}

export interface Greyscale {
  width: number
  height: number
  /** One byte per pixel. */
  pixels: Buffer
}

/** Draws a barcode in the middle of a white picture, as large as it fits. */
export async function barcodePicture(
  text: string,
  format: Format,
  { width, height }: { width: number; height: number } = { width: 1280, height: 720 },
): Promise<Greyscale> {
  const { symbol, error } = await write(text, { format, scale: 1 })
  if (!symbol) throw new Error(error)
  const margin = 40
  const scale = Math.floor(Math.min((width - 2 * margin) / symbol.width, (height - 2 * margin) / symbol.height))
  const [left, top] = [(width - symbol.width * scale) >> 1, (height - symbol.height * scale) >> 1]
  const pixels = Buffer.alloc(width * height, 255)
  for (let y = 0; y < symbol.height * scale; y++) {
    for (let x = 0; x < symbol.width * scale; x++) {
      const module = symbol.data[Math.floor(y / scale) * symbol.width + Math.floor(x / scale)]!
      pixels[(top + y) * width + left + x] = module
    }
  }
  return { width, height, pixels }
}

/** A barcode as a PNG file. */
export async function barcodePhoto(text: string, format: Format): Promise<Buffer> {
  const { image, error } = await write(text, { format, scale: 6, withQuietZones: true })
  if (!image) throw new Error(error)
  return Buffer.from(await image.arrayBuffer())
}

/** A video of one frame in a format that Chromium plays as a camera. */
export function cameraVideo({ width, height, pixels }: Greyscale): Buffer {
  // Video brightness ranges from 16 to 235, and 128 has no colour.
  const brightness = Buffer.from(pixels.map((value) => 16 + Math.round((value * 219) / 255)))
  const colour = Buffer.alloc((width * height) / 2, 128)
  const header = `YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`
  return Buffer.concat([Buffer.from(`${header}FRAME\n`), brightness, colour])
}
