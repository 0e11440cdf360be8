import { escapeXml } from '../../../lib/xml.ts'
import type { Flight } from '../../flights/contract.ts'
import { type FileForm, type LoggedFlight, type Point, pointPieces, routeName } from './form.ts'

const when = ({ date, datePrecision }: Flight) => date.slice(0, { day: 10, month: 7, year: 4 }[datePrecision])

const facts = ({ airline, aircraft, aircraftReg }: Flight) =>
  [airline?.name, aircraft?.name, aircraftReg].filter(Boolean).join(', ')

const points = (some: readonly Point[]) => some.map((point) => point.join(',')).join(' ')

function* placemark({ flight, track }: LoggedFlight): Generator<string> {
  const { from, to } = flight
  const line: readonly Point[] = track ?? [
    [from.longitude, from.latitude],
    [to.longitude, to.latitude],
  ]
  // Above the ground where the height is known; otherwise laid over it, which also bends it to a great circle.
  const flies = line.every((point) => point.length === 3)
  const place = flies ? '<altitudeMode>absolute</altitudeMode>' : '<tessellate>1</tessellate>'
  yield `<Placemark><name>${escapeXml(routeName(flight))}</name><description>${escapeXml(facts(flight))}</description>`
  yield `<TimeStamp><when>${when(flight)}</when></TimeStamp><styleUrl>#${track ? 'track' : 'route'}</styleUrl>`
  yield `<LineString>${place}<coordinates>`
  yield* pointPieces(line, points, ' ')
  yield '</coordinates></LineString></Placemark>\n'
}

const style = (id: string, width: number) =>
  `<Style id="${id}"><LineStyle><color>ffb0601a</color><width>${width}</width></LineStyle></Style>\n`

export const kmlForm: FileForm = {
  extension: 'kml',
  type: 'application/vnd.google-earth.kml+xml; charset=utf-8',
  draws: true,
  open: (title) =>
    `<?xml version="1.0" encoding="UTF-8"?>\n<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>${escapeXml(title)}</name>\n${style('route', 2)}${style('track', 3)}`,
  flight: placemark,
  between: '',
  close: '</Document></kml>\n',
}
