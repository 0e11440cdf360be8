import { readTrackFile } from '../../src/domain/flights/tracks/files/read.ts'
import { AppError } from '../../src/lib/errors.ts'

const ZRH = { latitude: 47.458, longitude: 8.548 }
const LIS = { latitude: 38.781, longitude: -9.136 }
const ends = { from: ZRH, to: LIS }

export const read = async (text: string, name = 'file') => readTrackFile(Buffer.from(text), name, ends)

/** The message of a file that is rejected. */
export async function errorOf(text: string | Buffer): Promise<string> {
  try {
    await readTrackFile(Buffer.from(text), 'file', ends)
  } catch (error) {
    if (error instanceof AppError && error.code === 'bad_request') return error.message
    throw error
  }
  throw new Error('It was read.')
}

export const gpx = (inner: string) => `<?xml version="1.0"?>
<!-- <trkpt lat="1" lon="1"/> -->
<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1" xmlns:gpxtpx="x"><metadata><time>2020-01-01T00:00:00Z</time></metadata>${inner}</gpx>`

export const kml = (inner: string) =>
  `<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="x"><Document>${inner}</Document></kml>`
