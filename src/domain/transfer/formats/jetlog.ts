import type { CsvFormat } from './csv.ts'
import { unknownFlight } from './row.ts'
import {
  airport,
  calendarDay,
  classByName,
  clock,
  designator,
  localMoment,
  minutes,
  nameAndCodes,
  named,
  orNull,
  reasonByName,
  seatByName,
} from './values.ts'

export const jetlog: CsvFormat = {
  requiredColumns: ['date', 'origin', 'destination', 'ticket_class'],
  flight: (cells) => {
    const date = calendarDay(cells('date'))
    const arrivalDate = cells('arrival_date')
    const arrivalDay = arrivalDate === '' ? date : calendarDay(arrivalDate)
    return {
      ...unknownFlight,
      date,
      from: airport('from', 'icao', cells('origin')),
      to: airport('to', 'icao', cells('destination')),
      departure: localMoment(date, clock(cells('departure_time')), 'from'),
      arrival: localMoment(arrivalDay, clock(cells('arrival_time')), 'to'),
      arrivalDay: arrivalDate === '' ? 'unknown' : 'exact',
      duration: minutes(cells('duration')),
      airline: airlineOf(cells('airline'), cells('flight_number')),
      aircraft: aircraftOf(cells('airplane')),
      flightNumber: orNull(cells('flight_number')),
      aircraftReg: orNull(cells('tail_number')),
      note: orNull(cells('notes')),
      seat: seatByName(cells('seat')),
      seatClass: classByName(cells('ticket_class')),
      flightReason: reasonByName(cells('purpose')),
    }
  },
}

function airlineOf(icao: string, flightNumber: string) {
  const airline = designator(flightNumber)
  return named(icao, [
    ['icao', icao],
    ['iata', airline?.by === 'iata' ? airline.code : undefined],
  ])
}

function aircraftOf(text: string) {
  const { name, codes } = nameAndCodes(text)
  return named(text, [
    ['icao', codes[0]],
    ['icao', /^[A-Za-z0-9]{2,4}$/.test(text) ? text : undefined],
    ['name', name],
  ])
}
