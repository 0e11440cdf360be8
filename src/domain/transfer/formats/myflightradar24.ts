import type { Cells, CsvFormat } from './csv.ts'
import {
  type AirportName,
  type DatePrecision,
  type FlightReason,
  type Moment,
  noteProblem,
  type ParsedFlight,
  type Seat,
  type SeatClass,
  shown,
  unknownFlight,
} from './row.ts'
import {
  airport,
  calendarDay,
  clock,
  codeTable,
  hoursAndMinutes,
  localMoment,
  nameAndCodes,
  named,
  orNull,
} from './values.ts'

const seatByNumber = codeTable<Seat>({ 1: 'window', 2: 'middle', 3: 'aisle' })
const classByNumber = codeTable<SeatClass>({ 1: 'economy', 2: 'business', 3: 'first', 4: 'economy+', 5: 'private' })
const reasonByNumber = codeTable<FlightReason>({ 1: 'leisure', 2: 'business', 3: 'crew', 4: 'other' })

const isUnknown = (time: string | null) => time === null || time === '00:00:00'

export const myflightradar24: CsvFormat = {
  requiredColumns: ['date', 'from', 'to', 'dep_time', 'arr_time', 'flight_class'],
  flight: (cells) => ({
    ...unknownFlight,
    ...dateAndTimes(cells),
    from: airportWithCodes('from', cells('from')),
    to: airportWithCodes('to', cells('to')),
    arrivalDay: 'unknown',
    airline: airlineOf(cells('airline')),
    aircraft: aircraftOf(cells('aircraft')),
    flightNumber: orNull(cells('flight_number')),
    aircraftReg: orNull(cells('registration')),
    note: orNull(cells('note')),
    seat: seatByNumber(cells('seat_type')),
    seatNumber: orNull(cells('seat_number')),
    seatClass: classByNumber(cells('flight_class')),
    flightReason: reasonByNumber(cells('flight_reason')),
  }),
}

function dateAndTimes(
  cells: Cells,
): Pick<ParsedFlight, 'date' | 'datePrecision' | 'departure' | 'arrival' | 'duration'> {
  const { date, datePrecision } = dateOfAnyPrecision(cells('date'))
  const [departs, arrives] = [clock(cells('dep_time')), clock(cells('arr_time'))]
  const duration = hoursAndMinutes(cells('duration'))
  // A time without a day is useless.
  if (datePrecision !== 'day' || (isUnknown(departs) && isUnknown(arrives))) {
    return { date, datePrecision, departure: null, arrival: null, duration }
  }
  return {
    date,
    datePrecision,
    departure: localMoment(date, departs, 'from'),
    arrival: isUnknown(arrives) ? after(duration) : localMoment(date, arrives, 'to'),
    duration,
  }
}

const after = (duration: number | null): Moment | null => (duration === null ? null : { afterDeparture: duration })

function dateOfAnyPrecision(text: string): { date: string | null; datePrecision: DatePrecision } {
  if (/^\d{4}$/.test(text)) return { date: calendarDay(`${text}-01-01`), datePrecision: 'year' }
  if (/^\d{4}-\d\d$/.test(text)) return { date: calendarDay(`${text}-01`), datePrecision: 'month' }
  return { date: calendarDay(text), datePrecision: 'day' }
}

/** `City / Name (IATA/ICAO)`; the ICAO code counts. */
function airportWithCodes(role: 'from' | 'to', text: string): AirportName | null {
  if (text === '') return airport(role, 'icao', '')
  const [iata, icao] = nameAndCodes(text).codes
  if (icao) return airport(role, 'icao', icao)
  if (iata) return airport(role, 'iata', iata)
  return noteProblem(`The airport ${shown(text)} does not end in (IATA/ICAO).`)
}

function airlineOf(text: string) {
  const { name, codes } = nameAndCodes(text)
  const [iata, icao] = codes
  return named(text, [
    ['icao', icao],
    ['iata', iata],
    ['name', name],
  ])
}

function aircraftOf(text: string) {
  const { name, codes } = nameAndCodes(text)
  return named(text, [
    ['icao', codes[0]],
    ['name', name],
  ])
}
