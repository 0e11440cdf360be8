/** Track files that can be sent in any size. */
interface GrowingFile {
  name: string
  /** The smaller of the two tested sizes. */
  size: number
  content: (size: number) => string
}

const POINTS = 20_000

const repeated = (size: number, piece: (index: number) => string) =>
  Array.from({ length: size }, (_, index) => piece(index))

const latitude = (index: number) => (index % 90_000) / 1000

const gpx = (inner: string) => `<gpx version="1.1"><trk><trkseg>${inner}</trkseg></trk></gpx>`
const kml = (inner: string) => `<kml><Placemark>${inner}</Placemark></kml>`
const point = (inner = '') => `<trkpt lat="1" lon="2">${inner}</trkpt>`

/** Every format with many points, and with content that its reader skips. */
const contents: Record<string, (size: number) => string> = {
  'gpx points': (size) => gpx(repeated(size, (index) => `<trkpt lat="${latitude(index)}" lon="2"/>`).join('')),
  'gpx comments': (size) => gpx(point() + '<!---->'.repeat(10 * size)),
  'gpx instructions': (size) => gpx(point() + '<?x?>'.repeat(10 * size)),
  'gpx text': (size) => gpx(point(`<ele>${'&amp;'.repeat(10 * size)}</ele>`)),
  'gpx character data': (size) => gpx(point(`<ele><![CDATA[${'&'.repeat(20 * size)}]]></ele>`)),
  'gpx attribute': (size) => gpx(`<trkpt lat="1" lon="${' '.repeat(20 * size)}"/>`),
  'gpx spaces': (size) => gpx(`<trkpt ${' '.repeat(20 * size)}`),
  'gpx opened': (size) => gpx('<a '.repeat(size)),
  'kml line': (size) =>
    kml(
      `<LineString><coordinates>${repeated(size, (index) => `2,${latitude(index)} `).join('')}</coordinates></LineString>`,
    ),
  'kml spaces': (size) => kml(`<LineString><coordinates>${' '.repeat(20 * size)}</coordinates></LineString>`),
  'kml coord': (size) => kml(`<Track><coord>${'&#32;'.repeat(10 * size)}</coord></Track>`),
  'kml tracks': (size) => kml('<Track><when>2020-01-01T00:00:00Z</when><coord>1 2</coord></Track>'.repeat(size)),
  'csv lines': (size) => `latitude,longitude\n${repeated(size, (index) => `${latitude(index)},2\n`).join('')}`,
  'csv quotes': (size) => `latitude,longitude\n${`${'"'.repeat(3_000)}\n`.repeat(size / 200)}`,
  'csv empty lines': (size) => `latitude,longitude\n${'\n'.repeat(20 * size)}`,
  'trace points': (size) =>
    JSON.stringify({
      timestamp: 1.7e9,
      trace: repeated(size, () => '').map((_, index) => [index, latitude(index), 2, 100]),
    }),
  'trace legs': (size) =>
    JSON.stringify({ timestamp: 1.7e9, trace: repeated(size, () => '').map((_, index) => [index, 1, 2, 0, 0, 0, 2]) }),
  'own points': (size) =>
    JSON.stringify({ coordinates: repeated(size, () => '').map((_, index) => [2, latitude(index)]) }),
  values: (size) => `{"trace":[${'{},'.repeat(20 * size)}{}]}`,
}

export const trackFiles: readonly GrowingFile[] = Object.entries(contents).map(([name, content]) => ({
  name,
  size: POINTS,
  content,
}))
