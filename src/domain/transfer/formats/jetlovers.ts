import type { CsvFormat } from './csv.ts'
import { type SeatClass, unknownFlight } from './row.ts'
import { airport, calendarDay, codeTable, named, orNull, reasonByLetter, seatByLetter } from './values.ts'

const classByLetter = codeTable<SeatClass>({ F: 'first', C: 'business', B: 'business', P: 'economy+', Y: 'economy' })

export const jetlovers: CsvFormat = {
  requiredColumns: ['date', 'from', 'to', 'miles', 'flightnum'],
  flight: (cells) => ({
    ...unknownFlight,
    date: calendarDay(cells('date')),
    from: airport('from', 'iata', cells('from')),
    to: airport('to', 'iata', cells('to')),
    airline: named('', [['name', cells('airline')]]),
    aircraft: named('', [['name', cells('aircraft')]]),
    flightNumber: orNull(cells('flightnum')),
    aircraftReg: orNull(cells('aircraft_reg')),
    seat: seatByLetter(cells('seat_type')),
    seatNumber: orNull(cells('seat')),
    seatClass: classByLetter(cells('class')),
    flightReason: reasonByLetter(cells('reason')),
  }),
}
