import { english } from '../../../../messages/english.ts'
import { MAX_POINTS } from '../contract.ts'
import {
  type FilePoint,
  KNOTS_PER_METRE_PER_SECOND,
  metresOfFeet,
  numberIn,
  pointList,
  rounded,
  secondsIn,
  unreadable,
} from './points.ts'

const MAX_LINE_LENGTH = 4000
const MAX_LINES = 10 * MAX_POINTS

type Take = (point: Partial<FilePoint>, cell: string) => void

const take =
  <Name extends keyof FilePoint>(name: Name, read: (cell: string) => FilePoint[Name] | undefined): Take =>
  (point, cell) => {
    const value = read(cell)
    if (value !== undefined) point[name] = value
  }

const position: Take = (point, cell) => {
  const [latitude, longitude] = cell.split(',').map(numberIn)
  if (latitude === undefined || longitude === undefined) return
  point.latitude = latitude
  point.longitude = longitude
}

const scaled = (convert: (value: number) => number) => (cell: string) => {
  // FlightAware writes 10,000.
  const value = numberIn(/^\d{1,3}(,\d{3})+$/.test(cell) ? cell.replaceAll(',', '') : cell)
  return value === undefined ? undefined : convert(value)
}

const latitude = take('latitude', numberIn)
const longitude = take('longitude', numberIn)
const metres = take('altitude', numberIn)
const feet = take('altitude', scaled(metresOfFeet))
const knots = take('groundSpeedKt', numberIn)
const metresASecond = take(
  'groundSpeedKt',
  scaled((value) => rounded(value * KNOTS_PER_METRE_PER_SECOND, 1)),
)
const flag = (cell: string) => (/^(true|1|yes)$/i.test(cell) ? true : /^(false|0|no)$/i.test(cell) ? false : undefined)

/** Column names, in lower case without punctuation. The first match counts. */
const columns: readonly (readonly [names: string, take: Take])[] = [
  ['position', position],
  ['latitude lat latdeg latitudedeg', latitude],
  ['longitude lon lng long londeg longitudedeg', longitude],
  ['timestamp utc time datetime timeutc timestamputc unixtime epoch', take('time', secondsIn)],
  ['feet altitudeft altitudefeet altft altbaro altgeom', feet],
  ['meters metres altitudem altitudemetres altitudemeters altm geoaltitude baroaltitude ele elevation', metres],
  ['kts knots groundspeedkt groundspeedkts speedkt speedkts gs groundspeed', knots],
  ['velocity speedms', metresASecond],
  ['course direction heading track trackdeg bearing', take('trackDeg', numberIn)],
  ['onground ground', take('ground', flag)],
]

/** FlightRadar24 has one column for the position, its altitude in feet and its speed in knots. */
const ofFlightRadar: typeof columns = [...columns, ['altitude', feet], ['speed', knots]]
const ofOthers: typeof columns = [...columns, ['altitude alt', metres]]

function cellsOf(line: string, delimiter: string, maxCells?: number): string[] {
  if (!line.includes('"')) return line.split(delimiter, maxCells).map((cell) => cell.trim())
  const cells: string[] = []
  let cell = ''
  let quoted = false
  for (let index = 0; index < line.length; index++) {
    const character = line[index]!
    if (character === '"') {
      if (quoted && line[index + 1] === '"') cell += line[index++]
      else quoted = !quoted
    } else if (character === delimiter && !quoted) {
      cells.push(cell.trim())
      cell = ''
    } else cell += character
  }
  return [...cells, cell.trim()]
}

function takersOf(names: readonly string[]): (Take | undefined)[] {
  const plain = names.map((name) => name.toLowerCase().replace(/[^a-z0-9]/g, ''))
  const takers: (Take | undefined)[] = plain.map(() => undefined)
  const known = plain.includes('position') ? ofFlightRadar : ofOthers
  for (const [list, taker] of known) {
    const at = list
      .split(' ')
      .map((name) => plain.indexOf(name))
      .find((index) => index >= 0)
    if (at !== undefined) takers[at] ??= taker
  }
  if (!takers.includes(position) && !(takers.includes(latitude) && takers.includes(longitude))) {
    throw unreadable(english.tracks.noColumns)
  }
  return takers
}

export function readCsv(text: string): FilePoint[] {
  const { points, add } = pointList()
  let delimiter = ','
  let lines = 0
  let takers: (Take | undefined)[] | undefined
  for (let start = text.startsWith('\uFEFF') ? 1 : 0; start < text.length; ) {
    if (++lines > MAX_LINES) throw unreadable(english.tracks.tooManyLines({ max: MAX_LINES }))
    const end = text.indexOf('\n', start)
    const stop = end < 0 ? text.length : end
    if (stop - start > MAX_LINE_LENGTH) throw unreadable(english.tracks.lineTooLong)
    const line = text.slice(start, stop).trim()
    start = stop + 1
    if (line === '') continue
    if (!takers) {
      delimiter = [',', ';', '\t'].find((each) => line.includes(each)) ?? ','
      takers = takersOf(cellsOf(line, delimiter))
      continue
    }
    const point: Partial<FilePoint> = {}
    for (const [index, cell] of cellsOf(line, delimiter, takers.length).entries()) takers[index]?.(point, cell)
    if (point.latitude !== undefined && point.longitude !== undefined) add(point as FilePoint)
  }
  return points
}
