// Reads barcodes of boarding passes in the browser. Loaded when the user scans a code or chooses a photo.
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

const OPTIONS = { formats: ['Aztec', 'PDF417', 'QRCode', 'DataMatrix'], tryHarder: true, maxNumberOfSymbols: 8 }

/** Returns a function that finds the texts of all barcodes in a picture. */
export function createReader(wasm) {
  prepareZXingModule({ overrides: { locateFile: () => wasm } })
  return async (picture) => {
    const codes = await readBarcodes(picture, OPTIONS)
    return codes.filter(({ isValid }) => isValid).map(({ text }) => text)
  }
}
