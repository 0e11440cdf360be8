import type { CsvFormat } from './csv.ts'
import { noteProblem, shown, unknownFlight } from './row.ts'
import {
  airport,
  calendarDay,
  classByName,
  clock,
  designator,
  localMoment,
  named,
  noteWith,
  orNull,
  reasonByName,
  seatByName,
} from './values.ts'

export const byair: CsvFormat = {
  requiredColumns: ['flight_date', 'flight_code', 'departure_airport_code', 'arrival_airport_code'],
  flight: (cells, { mineOnly }) => {
    const ownership = cells('ownership')
    // A row without an owner is the importing user's.
    if (mineOnly && ownership !== '' && ownership.toLowerCase() !== 'mine') {
      noteProblem(`The flight is not yours: its ownership is ${shown(ownership)}.`)
    }
    const date = calendarDay(cells('flight_date'))
    const airline = designator(cells('flight_code'))
    return {
      ...unknownFlight,
      date,
      from: airport('from', 'code', cells('departure_airport_code')),
      to: airport('to', 'code', cells('arrival_airport_code')),
      departure: localMoment(date, clock(cells('departure_time')), 'from'),
      arrival: localMoment(date, clock(cells('arrival_time')), 'to'),
      arrivalDay: 'unknown',
      airline: airline ? named('', [[airline.by, airline.code]]) : null,
      flightNumber: orNull(cells('flight_code')),
      note: noteWith(cells('notes'), ['Booking code', cells('booking_code')]),
      seat: seatByName(cells('seat_type')),
      seatNumber: orNull(cells('seat_number')),
      seatClass: classByName(cells('seat_class')),
      flightReason: reasonByName(cells('purpose')),
    }
  },
}
