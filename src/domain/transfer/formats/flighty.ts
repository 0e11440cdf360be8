import type { Cells, CsvFormat } from './csv.ts'
import { type Moment, noteProblem, unknownFlight } from './row.ts'
import {
  airport,
  calendarDay,
  classByName,
  localDateTime,
  named,
  noteWith,
  orNull,
  reasonByName,
  seatByName,
} from './values.ts'

export const flighty: CsvFormat = {
  requiredColumns: ['from', 'to', 'flight', 'gate_departure_scheduled'],
  flight: (cells) => {
    const number = bareNumber(cells('airline'), cells('flight'))
    const canceled = cells('canceled')
    if (/^(?:true|yes|1)$/i.test(canceled)) {
      noteProblem(`The flight was cancelled: its column canceled holds ${canceled}.`)
    }
    const departureScheduled = localDateTime(cells('gate_departure_scheduled'), 'from')
    const arrivalScheduled = localDateTime(cells('gate_arrival_scheduled'), 'to')
    const departure = localDateTime(cells('gate_departure_actual'), 'from') ?? departureScheduled
    return {
      ...unknownFlight,
      date: dateOf(cells, departure),
      from: airport('from', 'iata', cells('from')),
      to: airport('to', 'iata', cells('to')),
      departure,
      arrival: localDateTime(cells('gate_arrival_actual'), 'to') ?? arrivalScheduled,
      departureScheduled,
      arrivalScheduled,
      takeoffScheduled: localDateTime(cells('take_off_scheduled'), 'from'),
      takeoffActual: localDateTime(cells('take_off_actual'), 'from'),
      landingScheduled: localDateTime(cells('landing_scheduled'), 'to'),
      landingActual: localDateTime(cells('landing_actual'), 'to'),
      arrivalDay: 'rollForward',
      airline: named(cells('airline'), [
        ['icao', cells('airline')],
        ['iata', cells('airline')],
      ]),
      aircraft: named('', [['name', cells('aircraft_type_name')]]),
      flightNumber: number === '' ? null : `${cells('airline')}${number}`,
      numberBehindAirline: orNull(number),
      aircraftReg: orNull(cells('tail_number')),
      departureTerminal: orNull(cells('dep_terminal')),
      departureGate: orNull(cells('dep_gate')),
      arrivalTerminal: orNull(cells('arr_terminal')),
      arrivalGate: orNull(cells('arr_gate')),
      note: noteWith(cells('notes'), ['PNR', cells('pnr')], ['Diverted to', cells('diverted_to')]),
      seat: seatOf(cells('seat_type')),
      seatNumber: orNull(cells('seat')),
      seatClass: classByName(cells('cabin_class')),
      flightReason: reasonByName(cells('flight_reason')),
    }
  },
}

function dateOf(cells: Cells, departure: Moment | null): string | null {
  const date = cells('date')
  if (date !== '') return calendarDay(date.slice(0, 10))
  if (departure === null) {
    const isWritten = cells('gate_departure_actual') !== '' || cells('gate_departure_scheduled') !== ''
    // An invalid time has been reported already.
    return isWritten ? null : calendarDay('')
  }
  return 'local' in departure ? departure.local.slice(0, 10) : null
}

/** Some flight numbers already have the airline as a prefix. */
const bareNumber = (airline: string, flight: string) =>
  flight.startsWith(airline) ? flight.slice(airline.length) : flight

/** Flighty's captain is the pilot, and its pilot the copilot. */
function seatOf(text: string) {
  const seat = text.toLowerCase() === 'captain' ? 'pilot' : seatByName(text)
  return seat === 'pilot' && text.toLowerCase() === 'pilot' ? 'copilot' : seat
}
