import {
  checkRowCount,
  type Moment,
  noteProblem,
  type ParsedFile,
  type ParsedFlight,
  type ParseOptions,
  rowsOf,
  type SeatClass,
  shown,
  UnreadableFile,
  unknownFlight,
} from './row.ts'
import { airport, calendarDay, codeTable, localDateTime, named, orNull, utcDateTime } from './values.ts'

const FIELDS = 17
const OWNER = 'Ownership.'

const classByWord = codeTable<SeatClass>({
  FIRST: 'first',
  BUSINESS: 'business',
  PLUS: 'economy+',
  ECONOMY: 'economy',
  ECOLIGHT: 'economy',
})

interface FlightLine {
  text: string
  line: number
  owner: string | undefined
}

/** A list of trips: a line with the owner, `flights:`, flight lines, `hotels:` and other sections. */
export function parseAppInTheAir(text: string, { mineOnly }: ParseOptions): ParsedFile {
  const flightLines: FlightLine[] = []
  let owner: string | undefined
  let found = false
  let inFlights = false
  for (const [index, written] of text.split(/\r\n|\n|\r/).entries()) {
    const line = written.trim()
    if (line.startsWith(OWNER)) {
      owner = /^\w*/.exec(line.slice(OWNER.length))![0]
      found = true
      inFlights = false
    } else if (/^[A-Za-z_ ]{1,40}:$/.test(line)) {
      inFlights = line.toLowerCase() === 'flights:'
    } else if (inFlights && line !== '') {
      checkRowCount(flightLines.length + 1)
      flightLines.push({ text: line, line: index + 1, owner })
    }
  }
  if (!found) throw new UnreadableFile(`The file has no line beginning with ${OWNER}, as an App in the Air export has.`)
  const read = (flight: FlightLine) => {
    // A flight without an owner is the importing user's.
    if (mineOnly && flight.owner !== undefined && flight.owner !== 'MINE') {
      noteProblem(`The flight is not yours: its trip has the owner ${shown(flight.owner)}.`)
    }
    return flightOf(flight.text)
  }
  return { rows: rowsOf(flightLines, read, ({ line }) => line) }
}

function flightOf(line: string): ParsedFlight | null {
  const fields = line.split(';')
  if (fields.length !== FIELDS) {
    return noteProblem(`The flight line has ${fields.length} fields, not ${FIELDS}.`)
  }
  const field = (position: number) => {
    const value = fields[position - 1]!.trim()
    return value === 'None' ? '' : value
  }
  const local = localDateTime(field(15), 'from')
  const departure = utcDateTime(field(13)) ?? local
  return {
    ...unknownFlight,
    date: dateOf(local, departure, field(15) !== '' || field(13) !== ''),
    from: airport('from', 'iata', field(11)),
    to: airport('to', 'iata', field(12)),
    departure,
    arrival: utcDateTime(field(14)) ?? localDateTime(field(16), 'to'),
    airline: named('', [['iata', field(8)]]),
    aircraft: named('', [['iata', field(10)]]),
    flightNumber: field(9) === '' ? null : `${field(8)}${field(9)}`,
    seatNumber: orNull(field(2)),
    seatClass: classByWord(field(1)),
  }
}

function dateOf(local: Moment | null, departure: Moment | null, isWritten: boolean): string | null {
  if (local && 'local' in local) return local.local.slice(0, 10)
  // An invalid time has been reported already.
  return departure || isWritten ? null : calendarDay('')
}
