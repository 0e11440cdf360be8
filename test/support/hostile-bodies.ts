/** Slightly below the default body limit, to leave room for the envelope. */
const SIZE = 20 * 1024 * 1024 - 64 * 1024
/** Maximum number of items in a list of a body. */
const MAX_ITEMS = 100_000

const times = (count: number, piece: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => piece(index))

const fill = (piece: string, size = SIZE) => piece.repeat(Math.floor(size / piece.length))

const list = (item: string, size = SIZE) => `[${fill(`${item},`, size - item.length - 2)}${item}]`

/** A list of lists within the limit. */
const lists = (item: string, size = SIZE) =>
  list(list(item, Math.min(size / 2, (MAX_ITEMS - 1) * (item.length + 1))), size)

const members = (value: string, size: number) => `{${times(size / 16, (index) => `"key${index}":${value}`)}}`

/** Objects with different keys. */
const shapes = (width: number, count: number) =>
  `[${times(count, (row) => `{${times(width, (index) => `"k${row * width + index}":0`)}}`)}]`

const boxedNumbers = (size: number) => list(`["",${list('0.5', 399_000).slice(1)}`, size)

type Contents = Record<string, () => string>

/** JSON values that are small as text and large or slow to parse. */
export const hostileJson: Contents = {
  'empty lists': () => list('[]'),
  'empty lists in lists': () => lists('[]'),
  'empty objects': () => list('{}'),
  'equal objects': () => lists('{"a":1}'),
  numbers: () => lists('0'),
  'long numbers': () => lists('0.12345678901234567e-300'),
  'boxed numbers': () => boxedNumbers(5_000_000),
  'boxed numbers and a __proto__ key': () => `{"a":${boxedNumbers(5_000_000)},"b":[[[{"__proto__":1}]]]}`,
  texts: () => lists('""'),
  'texts within the limit': () => lists('"ab"', 3_400_000),
  members: () => members('0', SIZE),
  'members within the limit': () => members('0.5', 690_000),
  'different objects': () => shapes(20, 10_000),
  'different objects in 1 MB': () => shapes(20, 4_000),
  'different objects within the limit': () => shapes(20, 2_490),
  levels: () => `${'['.repeat(SIZE / 2)}${']'.repeat(SIZE / 2)}`,
  'a long text': () => `"${fill('x')}✈"`,
  'a long text within the limit': () => `["${fill('x', 14_000_000)}"${fill(' ', SIZE - 14_000_000)}]`,
  'a long text that is not ASCII, within the limit': () => `["${fill('x', 4_000_000)}✈"${fill(' ', SIZE - 4_000_000)}]`,
  escapes: () => `"${fill('\\u00fc')}"`,
  spaces: () => `[${fill(' ')}]`,
  'a list that does not end': () => `[${fill('[],')}`,
}

const backup = (flights: string, more = '0') => `{"users":[],"flights":${flights},"more":${more}}`
const byair = (lines: string) =>
  `flight_date,flight_code,departure_airport_code,arrival_airport_code,ownership\n${lines}`
const calendar = (lines: string) => `BEGIN:VCALENDAR\nBEGIN:VEVENT\n${lines}`
const inAir = (lines: string) => `Ownership.MINE\nflights:\n${lines}`

/** A flight with invalid values in all fields. */
const unreadable = `{${['date', 'departure', 'arrival', 'flightNumber', 'aircraftReg', 'note', 'from', 'to']
  .map((name) => `"${name}":123456789012`)
  .join()},"duration":"x","datePrecision":123456789012}`

/** Import files without a valid flight. */
export const hostileImports: Contents = {
  'rows with ten problems': () => backup(`[${times(50_000, () => unreadable)}]`),
  'empty lists alone': () => list('[]'),
  'empty lists as flights': () => backup(list('[]')),
  'empty lists in lists': () => backup('[]', lists('[]')),
  'boxed numbers': () => backup('[]', boxedNumbers(SIZE)),
  'boxed numbers within the limit': () => backup('"✈"', `[${boxedNumbers(11_000_000)}${fill(' ', 8_500_000)}]`),
  members: () => backup('[]', members('0', SIZE)),
  'different objects': () => backup('[]', shapes(20, 50_000)),
  levels: () => backup('[]', '['.repeat(SIZE / 2)),
  'CSV cells': () => byair(fill(',')),
  'CSV quotes': () => byair(fill('"')),
  'CSV quotes on many lines': () => byair(`"${fill(`${'"'.repeat(70)}\n`)}"`),
  'CSV lines': () => byair(fill('\n')),
  'calendar lines': () => calendar(fill('\n')),
  'calendar parameters': () => calendar(`X${fill(';')}:`),
  'calendar parameters on many lines': () => calendar(`X${fill(`${';'.repeat(70)}\n `)}:`),
  'App in the Air lines': () => inAir(fill('\n')),
  'App in the Air fields': () => inAir(fill(';')),
}

const gpx = (inner: string) => `<gpx version="1.1"><trk><trkseg>${inner}</trkseg></trk></gpx>`
const kml = (inner: string) => `<kml><Placemark>${inner}</Placemark></kml>`
const point = (inner: string) => `<trkpt lat="1" lon="2">${inner}</trkpt>`
const line = (inner: string) => `<LineString><coordinates>${inner}</coordinates></LineString>`
const trace = (rows: string, more = '0') => `{"timestamp":1700000000,"trace":${rows},"more":${more}}`

/** Track files without a valid track. */
export const hostileTracks: Contents = {
  'GPX elements': () => gpx(fill('<a/>')),
  'GPX elements in a point': () => gpx(point(fill('<a/>'))),
  'GPX attributes': () => gpx(fill('<a b="" c="" d="" e="" f="" g="" h="" i=""/>')),
  'GPX attributes of one element': () => gpx(`<a ${fill('b="" ')}/>`),
  'GPX levels': () => gpx(fill('<a>')),
  'GPX entities': () => gpx(point(`<ele>${fill('&amp;')}</ele>`)),
  'GPX carriage returns': () => gpx(point(`<ele>${fill('\r')}</ele>`)),
  'GPX line breaks in an attribute': () => gpx(`<a b="${fill('\n')}"/>`),
  'GPX document type': () => `<!--<gpx >--><!DOCTYPE gpx [${fill('<!ENTITY a "b">')}]>${gpx('&a;')}`,
  'GPX character data': () => gpx(point(fill('<![CDATA[]]>'))),
  'GPX long character data': () => gpx(point(`<ele><![CDATA[${fill('&')}]]></ele>`)),
  'GPX comments': () => gpx(fill('<!---->')),
  'GPX long name': () => gpx(`<${fill('a')}/>`),
  'GPX long attribute': () => gpx(`<a b="${fill('x')}"/>`),
  'GPX spaces in a tag': () => gpx(`<a${fill(' ')}/>`),
  'GPX values': () => gpx(point(fill('<ele>1</ele>'))),
  'KML long point': () => kml(line(fill('x'))),
  'KML equal points': () => kml(line(fill('1,2 '))),
  'KML times': () => kml(`<Track>${fill('<when>2020-01-01T00:00:00Z</when>')}</Track>`),
  'CSV quotes': () => `latitude,longitude\n${fill(`${'"'.repeat(3998)}\n`)}`,
  'CSV cells': () => `latitude,longitude\n${fill(`${','.repeat(3998)}\n`)}`,
  'CSV lines': () => `latitude,longitude\n${fill('x\n')}`,
  'readsb rows': () => trace(list('[]')),
  'readsb values': () => trace('[]', lists('[]', SIZE - 1_000)),
  'readsb levels': () => trace('['.repeat(SIZE / 2)),
}

const coordinate = (index: number) => `${(index % 90) + 0.1234567}`

/** The largest accepted track files. */
export const longTracks: Contents = {
  GPX: () =>
    gpx(
      times(
        MAX_ITEMS,
        (index) =>
          `<trkpt lat="${coordinate(index)}" lon="2.123456"><ele>1000.1</ele><time>2025-05-03T10:20:00Z</time><extensions><speed>100.5</speed><course>231.5</course></extensions></trkpt>`,
      ).join('\n'),
    ),
  readsb: () =>
    trace(
      `[${times(
        MAX_ITEMS,
        (index) =>
          `[${index},${coordinate(index)},${coordinate(index)},35000,450.1,231.2,0,64,{"type":"adsb_icao","flight":"SWR123  ","alt_geom":36000,"ias":250,"tas":450},"adsb_icao",36000,64,250,0.1]`,
      )}]`,
    ),
}

/** A backup of 20 MB with tracks. */
export function longBackup(userId: string, bytes = SIZE): string {
  const track = `{"sourceFormat":"gpx","sourceName":null,"coordinates":[${times(10_000, (index) => `[${coordinate(index)},${coordinate(index)},${1000 + index}.5]`)}]}`
  const flight = (index: number) =>
    `{"date":"2020-01-${String((index % 28) + 1).padStart(2, '0')}","flightNumber":"LX${index}","from":{"icao":"LSZH"},"to":{"icao":"LPPT"},"passengers":[{"userId":"${userId}"}],"track":${track}}`
  const users = `[{"id":"${userId}","username":"owner","displayName":"Owner"}]`
  return `{"users":${users},"flights":[${times(Math.floor(bytes / flight(10_000).length), flight)}]}`
}
