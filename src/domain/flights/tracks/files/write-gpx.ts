import { escapeXml } from '../../../../lib/xml.ts'

const LINES_IN_PIECE = 500

export interface StoredTrack {
  coordinates: readonly (readonly number[])[]
  times?: readonly number[]
}

/** A track as GPX 1.1, in pieces. */
export function* gpxPieces({ coordinates, times }: StoredTrack, name: string): Generator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="Paxlog" xmlns="http://www.topografix.com/GPX/1/1">
<trk><name>${escapeXml(name)}</name><trkseg>
`
  for (let start = 0; start < coordinates.length; start += LINES_IN_PIECE) {
    let piece = ''
    for (let index = start; index < Math.min(start + LINES_IN_PIECE, coordinates.length); index++) {
      const [longitude, latitude, altitude] = coordinates[index]!
      const height = altitude === undefined ? '' : `<ele>${altitude}</ele>`
      const time = timeOf(times?.[index])
      piece += `<trkpt lat="${latitude}" lon="${longitude}">${height}${time}</trkpt>\n`
    }
    yield piece
  }
  yield '</trkseg></trk>\n</gpx>\n'
}

/** GPX has only years of four digits. */
function timeOf(seconds: number | undefined): string {
  if (seconds === undefined || seconds < -62_135_596_800 || seconds > 253_402_300_799) return ''
  return `<time>${new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')}</time>`
}
