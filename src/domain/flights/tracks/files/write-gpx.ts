import { inChunks } from '../../../../lib/chunks.ts'
import { escapeXml } from '../../../../lib/xml.ts'

const POINTS_PER_PIECE = 500

export interface StoredTrack {
  coordinates: readonly (readonly number[])[]
  times?: readonly number[]
}

export function* gpxPieces({ coordinates, times }: StoredTrack, name: string): Generator<string> {
  yield `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="Paxlog" xmlns="http://www.topografix.com/GPX/1/1">
<trk><name>${escapeXml(name)}</name><trkseg>
`
  for (const chunk of inChunks(coordinates.entries(), POINTS_PER_PIECE)) {
    const points = chunk.map(([index, [longitude, latitude, altitude]]) => {
      const height = altitude === undefined ? '' : `<ele>${altitude}</ele>`
      return `<trkpt lat="${latitude}" lon="${longitude}">${height}${timeOf(times?.[index])}</trkpt>\n`
    })
    yield points.join('')
  }
  yield '</trkseg></trk>\n</gpx>\n'
}

/** GPX has only years of four digits. */
function timeOf(seconds: number | undefined): string {
  if (seconds === undefined || seconds < -62_135_596_800 || seconds > 253_402_300_799) return ''
  return `<time>${new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')}</time>`
}
