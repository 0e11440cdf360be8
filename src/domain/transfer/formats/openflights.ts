import type { CsvFormat } from './csv.ts'
import { type AirportName, type DatePrecision, noteProblem, type SeatClass, shown, unknownFlight } from './row.ts'
import {
  airport,
  calendarDay,
  clock,
  codeTable,
  designator,
  hoursAndMinutes,
  localMoment,
  named,
  noteWith,
  orNull,
  reasonByLetter,
  seatByLetter,
} from './values.ts'

const classByLetter = codeTable<SeatClass>({ F: 'first', C: 'business', P: 'economy+', Y: 'economy' })

export const openflights: CsvFormat = {
  requiredColumns: ['date', 'from', 'to', 'plane', 'from_oid'],
  flight: (cells) => {
    const { date, datePrecision, time } = dateAndTime(cells('date'))
    const duration = hoursAndMinutes(cells('duration'))
    // A time without a day is useless.
    const departure = datePrecision === 'day' ? localMoment(date, time, 'from') : null
    const distance = cells('distance')
    return {
      ...unknownFlight,
      date,
      datePrecision,
      from: airportByLength('from', cells('from')),
      to: airportByLength('to', cells('to')),
      departure,
      arrival: departure && duration !== null ? { afterDeparture: duration } : null,
      duration,
      airline: airlineOf(cells('flight_number'), cells('airline')),
      aircraft: named('', [['name', cells('plane')]]),
      flightNumber: orNull(cells('flight_number')),
      aircraftReg: orNull(cells('registration')),
      // OpenFlights always exports miles.
      note: noteWith(cells('note'), ['Trip', cells('trip')], ['Distance', distance && `${distance} miles`]),
      seat: seatByLetter(cells('seat_type')),
      seatNumber: orNull(cells('seat')),
      seatClass: classByLetter(cells('class')),
      flightReason: reasonByLetter(cells('reason')),
    }
  },
}

function dateAndTime(text: string): { date: string | null; datePrecision: DatePrecision; time: string | null } {
  const [written = '', time = '', ...rest] = text.split(/[ T]+/, 3)
  if (rest.length > 0) {
    noteProblem(`The date ${shown(text)} is not a day with an optional time.`)
    return { date: null, datePrecision: 'day', time: null }
  }
  if (/^\d{4}$/.test(written)) {
    return { date: calendarDay(`${written}-01-01`), datePrecision: 'year', time: clock(time) }
  }
  return { date: calendarDay(isoDay(written)), datePrecision: 'day', time: clock(time) }
}

/** M/D/YYYY and D.M.YYYY as YYYY-MM-DD; anything else as it is. */
function isoDay(text: string): string {
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text)
  const european = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text)
  const [year, month = '', day = ''] = american
    ? [american[3], american[1], american[2]]
    : european
      ? [european[3], european[2], european[1]]
      : []
  return year ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : text
}

function airportByLength(role: 'from' | 'to', code: string): AirportName | null {
  if (code !== '' && code.length !== 3 && code.length !== 4) {
    return noteProblem(`The airport ${shown(code)} is neither an IATA code of 3 nor an ICAO code of 4 characters.`)
  }
  return airport(role, code.length === 3 ? 'iata' : 'icao', code)
}

function airlineOf(flightNumber: string, name: string) {
  const airline = designator(flightNumber)
  return named(name, [
    ['iata', airline?.by === 'iata' ? airline.code : undefined],
    ['name', name],
  ])
}
