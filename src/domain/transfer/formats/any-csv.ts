import { english } from '../../../messages/english.ts'
import { type CsvTable, csvRows, openCsv } from './csv.ts'
import { dateFormatDetector, dateOfCell, dayOfCell, timeOfCell, withoutDaysLater } from './csv-dates.ts'
import { type CsvField, columnPlaces, type DateFormat, requiredFields } from './csv-fields.ts'
import {
  type AirportName,
  type FileFlight,
  type FlightReason,
  noteProblem,
  type ParsedFile,
  type ParseOptions,
  type ReferenceName,
  type Seat,
  type SeatClass,
  shown,
  UnreadableFile,
} from './row.ts'
import {
  airport,
  classByName,
  codeTable,
  designator,
  nameAndCodes,
  named,
  orNull,
  reasonByName,
  seatByName,
} from './values.ts'

const seatByLetter = codeTable<Seat>({ W: 'window', M: 'middle', A: 'aisle' })
const classByLetter = codeTable<SeatClass>({
  F: 'first',
  J: 'business',
  C: 'business',
  W: 'economy+',
  P: 'economy+',
  Y: 'economy',
})
const reasonByWord = codeTable<FlightReason>({
  ...{ L: 'leisure', PRIVATE: 'leisure', PERSONAL: 'leisure', VACATION: 'leisure', HOLIDAY: 'leisure' },
  ...{ B: 'business', WORK: 'business', C: 'crew', O: 'other' },
})

/** Any table of flights (contract 17.6). */
export function parseAnyCsv(text: string, options: ParseOptions): ParsedFile {
  const table = openCsv(text)
  const places = columnPlaces(table.headers, options.columns)
  requireColumns(table, places, options)
  let format = options.dateFormat
  const rows = csvRows(table, options, (cellAt) => flightOf((field) => cellAt(places.get(field)), format!))
  // After the rows were counted, which limits the time.
  format ??= formatOfDates(table, places)
  return rows
}

export function hasFlightColumns(headers: readonly string[], columns: ParseOptions['columns']): boolean {
  const places = columnPlaces(headers, columns)
  return requiredFields.every((field) => places.has(field))
}

function requireColumns({ headers }: CsvTable, places: ReadonlyMap<CsvField, number>, { columns = {} }: ParseOptions) {
  const lost = Object.entries(columns).filter(([field, header]) => header !== null && !places.has(field as CsvField))
  if (lost.length > 0) {
    const names = lost.map(([, header]) => shown(header)).join(', ')
    throw new UnreadableFile(english.import.noColumn({ columns: names }), {
      unclear: lost.map(([field]) => field as CsvField),
    })
  }
  const unclear = requiredFields.filter((field) => !places.has(field))
  if (unclear.length === 0) return
  throw new UnreadableFile(
    english.import.unclearColumns({ fields: unclear.join(', ') }),
    headers.length < requiredFields.length ? {} : { unclear },
  )
}

const DATED: readonly CsvField[] = ['date', 'arrivalDate', 'departure', 'arrival']

function formatOfDates({ records }: CsvTable, places: ReadonlyMap<CsvField, number>): DateFormat {
  const dated = DATED.flatMap((field) => places.get(field) ?? [])
  const detector = dateFormatDetector()
  for (const { cells } of records()) for (const place of dated) detector.add(cells[place]?.trim() ?? '')
  const format = detector.format()
  if (format) return format
  throw new UnreadableFile(english.import.unclearDates, { unclear: ['dateFormat'] })
}

function flightOf(cell: (field: CsvField) => string, format: DateFormat): FileFlight {
  const { date, datePrecision } = dateOfCell(cell('date'), format)
  const ends = { from: airportOf('from', cell('from')), to: airportOf('to', cell('to')) }
  const day = datePrecision === 'day' ? date : null
  const departure = timeOfCell(cell('departure'), 'from', day, format)
  const arrivalDate = cell('arrivalDate') === '' ? null : dayOfCell(cell('arrivalDate'), format)
  const arrives = arrivalDate === null ? cell('arrival') : withoutDaysLater(cell('arrival'))
  const arrival = timeOfCell(arrives, 'to', arrivalDate ?? departure.day, format)
  const number = cell('flightNumber')
  const seat = seatByName(cell('seat')) ?? seatByLetter(cell('seat'))
  // Many files have the seat number under "Seat".
  const seatNumber = cell('seatNumber') || (seat === null && /^\d{1,3} ?[A-Za-z]$/.test(cell('seat')) && cell('seat'))
  return {
    date,
    datePrecision,
    ...ends,
    departure: departure.moment,
    arrival: arrival.moment,
    arrivalDay: arrival.isExact || arrivalDate !== null ? 'exact' : 'unknown',
    flightNumber: orNull(number),
    numberBehindAirline: /^\d{1,4}[A-Za-z]?$/.test(number) ? number : null,
    airline: airlineOf(cell('airline'), number),
    aircraft: aircraftOf(cell('aircraft')),
    aircraftReg: orNull(cell('aircraftReg')),
    seat,
    seatNumber: seatNumber || null,
    seatClass: classByName(cell('seatClass')) ?? classByLetter(cell('seatClass')),
    flightReason: reasonByName(cell('flightReason')) ?? reasonByWord(cell('flightReason')),
    note: orNull(cell('note')),
  }
}

const AIRPORT_CODE = /^[A-Z0-9]{3,4}$/
const MAX_AIRPORT_LENGTH = 100

/** A code in capitals, `Name (ZRH)`, `ZRH – Name`, or a name, which may be a code in lower case. */
function airportOf(role: 'from' | 'to', text: string): AirportName | null {
  const { codes } = nameAndCodes(text)
  const inText = codes.findLast((code) => AIRPORT_CODE.test(code)) ?? /^([A-Z]{3,4}) ?[-–—:,/] ?\S/.exec(text)?.[1]
  if (inText) return airport(role, 'code', inText)
  const isCode = text === text.toUpperCase() && /^[A-Z0-9-]{2,8}$/.test(text) && /\d|^.{3,4}$/.test(text)
  if (text === '' || isCode) return airport(role, 'code', text)
  if (text.length <= MAX_AIRPORT_LENGTH) return { by: 'name', code: text.replace(/\s+/g, ' ') }
  return noteProblem(english.import.airportTooLong({ value: shown(text), max: MAX_AIRPORT_LENGTH }))
}

const codesOf = (text: string, codes: readonly string[]) =>
  [...codes, ...(/^[A-Z0-9]{2,4}\*?$/.test(text) ? [text] : [])].map((code) => code.replace('*', ''))

/** Codes, a name, `Name (LX)`, and at last the prefix of the flight number. */
function airlineOf(text: string, number: string): ReferenceName | null {
  const { name, codes } = nameAndCodes(text)
  const prefix = designator(number)
  return named(
    text,
    ...codesOf(text, codes).map((code) => [code.length === 2 ? 'iata' : 'icao', code] as ['iata' | 'icao', string]),
    ['name', text],
    ['name', name],
    ['iata', text.length === 2 ? text : undefined],
    ['icao', text.length === 3 ? text : undefined],
    [prefix?.by ?? 'iata', prefix?.code],
  )
}

/** An ICAO or IATA code, a name, or `Name (BCS3)`. */
function aircraftOf(text: string): ReferenceName | null {
  const { name, codes } = nameAndCodes(text)
  const written = /^[A-Za-z0-9]{2,4}$/.test(text) ? [text] : []
  return named(
    text,
    ...[...codes, ...written].flatMap((code): ['icao' | 'iata', string][] => [
      ['icao', code],
      ['iata', code],
    ]),
    ['name', text],
    ['name', name],
  )
}
