import { english } from '../../../messages/english.ts'
import {
  type FileFlight,
  noteProblem,
  type ParsedFile,
  type ParseOptions,
  rowsOf,
  type SeatClass,
  shown,
  UnreadableFile,
} from './row.ts'
import { airport, codeTable, departureDay, localDateTime, named, orNull, utcDateTime } from './values.ts'

const FIELDS = 17
const OWNER = 'Ownership.'

const classByWord = codeTable<SeatClass>({
  FIRST: 'first',
  BUSINESS: 'business',
  PLUS: 'economy+',
  ECONOMY: 'economy',
  ECOLIGHT: 'economy',
})

export const parseAppInTheAir = (text: string, { mineOnly }: ParseOptions): ParsedFile => ({
  rows: rowsOf(
    () => flightLines(text),
    ({ flight, owner }) => {
      // A flight without an owner is the importing user's.
      if (mineOnly && owner !== undefined && owner !== 'MINE') {
        noteProblem(english.import.tripOwner({ value: shown(owner) }))
      }
      return flightOf(flight.split(';'))
    },
    ({ line }) => line,
  ),
})

/** A list of trips: a line with the owner, `flights:`, flight lines, `hotels:` and other sections. */
function* flightLines(text: string) {
  let owner: string | undefined
  let inFlights = false
  for (const [index, written] of text.split(/\r\n|\n|\r/).entries()) {
    const line = written.trim()
    if (line.startsWith(OWNER)) {
      owner = /^\w*/.exec(line.slice(OWNER.length))![0]
      inFlights = false
    } else if (/^[A-Za-z_ ]{1,40}:$/.test(line)) {
      inFlights = line.toLowerCase() === 'flights:'
    } else if (inFlights && line !== '') {
      yield { flight: line, line: index + 1, owner }
    }
  }
  if (owner === undefined) {
    throw new UnreadableFile(english.import.notAppInTheAir({ start: OWNER }))
  }
}

function flightOf(fields: string[]): FileFlight | null {
  if (fields.length !== FIELDS) {
    return noteProblem(english.import.fields({ fields: fields.length, expected: FIELDS }))
  }
  const field = (position: number) => {
    const value = fields[position - 1]!.trim()
    return value === 'None' ? '' : value
  }
  const local = localDateTime(field(15), 'from')
  const departure = utcDateTime(field(13)) ?? local
  return {
    date: departureDay(local ?? departure, field(15) !== '' || field(13) !== ''),
    from: airport('from', 'iata', field(11)),
    to: airport('to', 'iata', field(12)),
    departure,
    arrival: utcDateTime(field(14)) ?? localDateTime(field(16), 'to'),
    airline: named('', ['iata', field(8)]),
    aircraft: named('', ['iata', field(10)]),
    flightNumber: field(9) === '' ? null : `${field(8)}${field(9)}`,
    seatNumber: orNull(field(2)),
    seatClass: classByWord(field(1)),
  }
}
