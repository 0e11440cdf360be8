import { english } from '../../../messages/english.ts'
import type { CsvFormat } from './csv.ts'
import {
  type AirportName,
  type DatePrecision,
  type FlightReason,
  noteProblem,
  type Seat,
  type SeatClass,
  shown,
} from './row.ts'
import {
  airlineOfNumber,
  airport,
  calendarDay,
  classByName,
  clock,
  codeTable,
  departureDay,
  designator,
  hoursAndMinutes,
  localDateTime,
  localMoment,
  minutes,
  nameAndCodes,
  named,
  noteWith,
  orNull,
  reasonByName,
  seatByName,
} from './values.ts'

const seatByLetter = codeTable<Seat>({ W: 'window', A: 'aisle', M: 'middle' })
const reasonByLetter = codeTable<FlightReason>({ B: 'business', L: 'leisure', C: 'crew', O: 'other' })
const openFlightsClass = codeTable<SeatClass>({ F: 'first', C: 'business', P: 'economy+', Y: 'economy' })
const jetLoversClass = codeTable<SeatClass>({ F: 'first', C: 'business', B: 'business', P: 'economy+', Y: 'economy' })
const seatByNumber = codeTable<Seat>({ 1: 'window', 2: 'middle', 3: 'aisle' })
const classByNumber = codeTable<SeatClass>({ 1: 'economy', 2: 'business', 3: 'first', 4: 'economy+', 5: 'private' })
const reasonByNumber = codeTable<FlightReason>({ 1: 'leisure', 2: 'business', 3: 'crew', 4: 'other' })
const crewSeat = codeTable<Seat>({ CAPTAIN: 'pilot', PILOT: 'copilot' })

const isUnknown = (time: string | null) => time === null || time === '00:00:00'

const afterDeparture = (duration: number | null) => (duration === null ? null : { afterDeparture: duration })

export const myflightradar24: CsvFormat = {
  requiredColumns: ['date', 'from', 'to', 'dep_time', 'arr_time', 'flight_class'],
  texts: { flightNumber: 'flight_number', aircraftReg: 'registration', note: 'note', seatNumber: 'seat_number' },
  flight: (cell) => {
    const { date, datePrecision } = dateOfAnyPrecision(cell('date'))
    const [departs, arrives] = [clock(cell('dep_time')), clock(cell('arr_time'))]
    const duration = hoursAndMinutes(cell('duration'))
    const arrival = isUnknown(arrives) ? afterDeparture(duration) : localMoment(date, arrives, 'to')
    // A time without a day is useless.
    const hasTimes = datePrecision === 'day' && !(isUnknown(departs) && isUnknown(arrives))
    return {
      date,
      datePrecision,
      from: airportWithCodes('from', cell('from')),
      to: airportWithCodes('to', cell('to')),
      ...(hasTimes && { departure: localMoment(date, departs, 'from'), arrival }),
      arrivalDay: 'unknown',
      duration,
      airline: airlineWithCodes(cell('airline')),
      aircraft: aircraftWithCode(cell('aircraft')),
      seat: seatByNumber(cell('seat_type')),
      seatClass: classByNumber(cell('flight_class')),
      flightReason: reasonByNumber(cell('flight_reason')),
    }
  },
}

export const flighty: CsvFormat = {
  requiredColumns: ['from', 'to', 'flight', 'gate_departure_scheduled'],
  texts: {
    aircraftReg: 'tail_number',
    departureTerminal: 'dep_terminal',
    departureGate: 'dep_gate',
    arrivalTerminal: 'arr_terminal',
    arrivalGate: 'arr_gate',
    seatNumber: 'seat',
  },
  flight: (cell) => {
    const [airline, flight, date, canceled] = [cell('airline'), cell('flight'), cell('date'), cell('canceled')]
    // Some flight numbers already have the airline as a prefix.
    const number = flight.startsWith(airline) ? flight.slice(airline.length) : flight
    if (/^(?:true|yes|1)$/i.test(canceled)) {
      noteProblem(english.import.cancelled({ value: canceled }))
    }
    const departureScheduled = localDateTime(cell('gate_departure_scheduled'), 'from')
    const arrivalScheduled = localDateTime(cell('gate_arrival_scheduled'), 'to')
    const departure = localDateTime(cell('gate_departure_actual'), 'from') ?? departureScheduled
    const hasDeparture = cell('gate_departure_actual') !== '' || cell('gate_departure_scheduled') !== ''
    return {
      date: date === '' ? departureDay(departure, hasDeparture) : calendarDay(date.slice(0, 10)),
      from: airport('from', 'iata', cell('from')),
      to: airport('to', 'iata', cell('to')),
      departure,
      arrival: localDateTime(cell('gate_arrival_actual'), 'to') ?? arrivalScheduled,
      departureScheduled,
      arrivalScheduled,
      takeoffScheduled: localDateTime(cell('take_off_scheduled'), 'from'),
      takeoffActual: localDateTime(cell('take_off_actual'), 'from'),
      landingScheduled: localDateTime(cell('landing_scheduled'), 'to'),
      landingActual: localDateTime(cell('landing_actual'), 'to'),
      arrivalDay: 'rollForward',
      airline: named(airline, ['icao', airline], ['iata', airline]),
      aircraft: named('', ['name', cell('aircraft_type_name')]),
      flightNumber: number === '' ? null : `${airline}${number}`,
      numberBehindAirline: orNull(number),
      note: noteWith(cell('notes'), ['PNR', cell('pnr')], ['Diverted to', cell('diverted_to')]),
      seat: crewSeat(cell('seat_type')) ?? seatByName(cell('seat_type')),
      seatClass: classByName(cell('cabin_class')),
      flightReason: reasonByName(cell('flight_reason')),
    }
  },
}

export const openflights: CsvFormat = {
  requiredColumns: ['date', 'from', 'to', 'plane', 'from_oid'],
  texts: { flightNumber: 'flight_number', aircraftReg: 'registration', seatNumber: 'seat' },
  flight: (cell) => {
    const { date, datePrecision, time } = dateAndTime(cell('date'))
    const duration = hoursAndMinutes(cell('duration'))
    // A time without a day is useless.
    const departure = datePrecision === 'day' ? localMoment(date, time, 'from') : null
    const [airline, distance] = [cell('airline'), cell('distance')]
    return {
      date,
      datePrecision,
      from: airportByLength('from', cell('from')),
      to: airportByLength('to', cell('to')),
      departure,
      arrival: departure && afterDeparture(duration),
      duration,
      airline: named(airline, iataPrefix(cell('flight_number')), ['name', airline]),
      aircraft: named('', ['name', cell('plane')]),
      // OpenFlights always exports miles.
      note: noteWith(cell('note'), ['Trip', cell('trip')], ['Distance', distance && `${distance} miles`]),
      seat: seatByLetter(cell('seat_type')),
      seatClass: openFlightsClass(cell('class')),
      flightReason: reasonByLetter(cell('reason')),
    }
  },
}

export const jetlog: CsvFormat = {
  requiredColumns: ['date', 'origin', 'destination', 'ticket_class'],
  texts: { flightNumber: 'flight_number', aircraftReg: 'tail_number', note: 'notes' },
  flight: (cell) => {
    const date = calendarDay(cell('date'))
    const arrivalDate = cell('arrival_date')
    const arrivalDay = arrivalDate === '' ? date : calendarDay(arrivalDate)
    return {
      date,
      from: airport('from', 'icao', cell('origin')),
      to: airport('to', 'icao', cell('destination')),
      departure: localMoment(date, clock(cell('departure_time')), 'from'),
      arrival: localMoment(arrivalDay, clock(cell('arrival_time')), 'to'),
      arrivalDay: arrivalDate === '' ? 'unknown' : 'exact',
      duration: minutes(cell('duration')),
      airline: named(cell('airline'), ['icao', cell('airline')], iataPrefix(cell('flight_number'))),
      aircraft: aircraftByCodeOrName(cell('airplane')),
      seat: seatByName(cell('seat')),
      seatClass: classByName(cell('ticket_class')),
      flightReason: reasonByName(cell('purpose')),
    }
  },
}

export const byair: CsvFormat = {
  requiredColumns: ['flight_date', 'flight_code', 'departure_airport_code', 'arrival_airport_code'],
  texts: { flightNumber: 'flight_code', seatNumber: 'seat_number' },
  flight: (cell, { mineOnly }) => {
    const ownership = cell('ownership')
    // A row without an owner is the importing user's.
    if (mineOnly && ownership !== '' && ownership.toLowerCase() !== 'mine') {
      noteProblem(english.import.ownership({ value: shown(ownership) }))
    }
    const date = calendarDay(cell('flight_date'))
    return {
      date,
      from: airport('from', 'code', cell('departure_airport_code')),
      to: airport('to', 'code', cell('arrival_airport_code')),
      departure: localMoment(date, clock(cell('departure_time')), 'from'),
      arrival: localMoment(date, clock(cell('arrival_time')), 'to'),
      arrivalDay: 'unknown',
      airline: airlineOfNumber(cell('flight_code')),
      note: noteWith(cell('notes'), ['Booking code', cell('booking_code')]),
      seat: seatByName(cell('seat_type')),
      seatClass: classByName(cell('seat_class')),
      flightReason: reasonByName(cell('purpose')),
    }
  },
}

export const jetlovers: CsvFormat = {
  requiredColumns: ['date', 'from', 'to', 'miles', 'flightnum'],
  texts: { flightNumber: 'flightnum', aircraftReg: 'aircraft_reg', seatNumber: 'seat' },
  flight: (cell) => ({
    date: calendarDay(cell('date')),
    from: airport('from', 'iata', cell('from')),
    to: airport('to', 'iata', cell('to')),
    airline: named('', ['name', cell('airline')]),
    aircraft: named('', ['name', cell('aircraft')]),
    seat: seatByLetter(cell('seat_type')),
    seatClass: jetLoversClass(cell('class')),
    flightReason: reasonByLetter(cell('reason')),
  }),
}

function dateOfAnyPrecision(text: string): { date: string | null; datePrecision: DatePrecision } {
  if (/^\d{4}$/.test(text)) return { date: calendarDay(`${text}-01-01`), datePrecision: 'year' }
  if (/^\d{4}-\d\d$/.test(text)) return { date: calendarDay(`${text}-01`), datePrecision: 'month' }
  return { date: calendarDay(text), datePrecision: 'day' }
}

function dateAndTime(text: string): ReturnType<typeof dateOfAnyPrecision> & { time: string | null } {
  const [written = '', time = '', ...rest] = text.split(/[ T]+/, 3)
  if (rest.length > 0) {
    noteProblem(english.import.dateOrTime({ value: shown(text) }))
    return { date: null, datePrecision: 'day', time: null }
  }
  const isYear = /^\d{4}$/.test(written)
  const date = calendarDay(isYear ? `${written}-01-01` : isoDay(written))
  return { date, datePrecision: isYear ? 'year' : 'day', time: clock(time) }
}

/** M/D/YYYY and D.M.YYYY as YYYY-MM-DD; anything else as it is. */
const isoDay = (text: string) =>
  text
    .replace(/^(\d{1,2})\.(\d{1,2})\.(\d{4})$/, '$2/$1/$3')
    .replace(
      /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/,
      (_, month: string, day: string, year: string) => `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
    )

/** `City / Name (IATA/ICAO)`; the ICAO code counts. */
function airportWithCodes(role: 'from' | 'to', text: string): AirportName | null {
  const [iata, icao] = nameAndCodes(text).codes
  if (icao || text === '') return airport(role, 'icao', icao ?? '')
  return iata ? airport(role, 'iata', iata) : noteProblem(english.import.airportEnd({ value: shown(text) }))
}

function airportByLength(role: 'from' | 'to', code: string): AirportName | null {
  if (code !== '' && code.length !== 3 && code.length !== 4) {
    return noteProblem(english.import.airportLength({ value: shown(code) }))
  }
  return airport(role, code.length === 3 ? 'iata' : 'icao', code)
}

function iataPrefix(flightNumber: string): ['iata', string | undefined] {
  const airline = designator(flightNumber)
  return ['iata', airline?.by === 'iata' ? airline.code : undefined]
}

/** `Name (IATA/ICAO)` */
function airlineWithCodes(text: string) {
  const { name, codes } = nameAndCodes(text)
  return named(text, ['icao', codes[1]], ['iata', codes[0]], ['name', name])
}

/** `Name (ICAO)` */
function aircraftWithCode(text: string) {
  const { name, codes } = nameAndCodes(text)
  return named(text, ['icao', codes[0]], ['name', name])
}

/** `Name (ICAO)`, an ICAO code or a name. */
function aircraftByCodeOrName(text: string) {
  const { name, codes } = nameAndCodes(text)
  const code = /^[A-Za-z0-9]{2,4}$/.test(text) ? text : undefined
  return named(text, ['icao', codes[0]], ['icao', code], ['name', name])
}
