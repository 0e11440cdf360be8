import { greatCircle, splitAtAntimeridian } from '../../../lib/geo.ts'
import { type FileForm, type LoggedFlight, type Point, pointPieces, routeName } from './form.ts'

const inside = (some: readonly Point[]) => JSON.stringify(some).slice(1, -1)

function* geometry(lines: readonly (readonly Point[])[]): Generator<string> {
  const [only] = lines
  if (lines.length === 1 && only) {
    yield '{"type":"LineString","coordinates":['
    yield* pointPieces(only, inside, ',')
    yield ']}'
    return
  }
  yield '{"type":"MultiLineString","coordinates":['
  for (const [index, line] of lines.entries()) {
    yield index === 0 ? '[' : ',['
    yield* pointPieces(line, inside, ',')
    yield ']'
  }
  yield ']}'
}

/** A line that crosses the 180th meridian is cut there, as RFC 7946 wants it. */
function* feature({ flight, track }: LoggedFlight): Generator<string> {
  const { from, to, date, datePrecision, flightNumber, airline, aircraft, aircraftReg, duration, distanceKm } = flight
  const properties = {
    name: routeName(flight),
    date: date.slice(0, { day: 10, month: 7, year: 4 }[datePrecision]),
    from: from.iata ?? from.icao,
    to: to.iata ?? to.icao,
    flightNumber,
    airline: airline?.name ?? null,
    aircraft: aircraft?.name ?? null,
    aircraftReg,
    durationSeconds: duration,
    distanceKm,
    line: track ? 'track' : 'great circle',
  }
  yield `\n{"type":"Feature","properties":${JSON.stringify(properties)},"geometry":`
  yield* geometry(splitAtAntimeridian(track ?? greatCircle(from, to)))
  yield '}'
}

export const geoJsonForm: FileForm = {
  extension: 'geojson',
  type: 'application/geo+json; charset=utf-8',
  draws: true,
  open: () => '{"type":"FeatureCollection","features":[',
  flight: feature,
  between: ',',
  close: '\n]}\n',
}
