import type { FormatName } from '../../src/domain/transfer/formats/registry.ts'

/** The maximum number of rows of a file. */
export const MAX_ROWS = 50_000

const CODES = ['ZRH', 'LIS', 'LHR', 'CPH', 'JFK', 'HNL', 'AKL', 'SIN', 'FRA', 'SYD']
/** Cities with one airport. */
const NAMES: Record<string, string> = { ZRH: 'Zürich', LIS: 'Lisbon', CPH: 'Copenhagen', SIN: 'Singapore' }
const NOTE = 'A note of ordinary length: window seat, clear view, an hour late.'

interface Row {
  index: number
  day: string
  from: string
  to: string
}

const rowAt = (index: number): Row => ({
  index,
  day: new Date(Date.UTC(1990, 0, 1) + (index % 12_000) * 86_400_000).toISOString().slice(0, 10),
  from: CODES[index % 10]!,
  to: CODES[(index + 3) % 10]!,
})

const lines = (head: readonly string[], line: (row: Row) => string, tail: readonly string[] = []) =>
  [...head, ...Array.from({ length: MAX_ROWS }, (_, index) => line(rowAt(index))), ...tail].join('\n')

const list = (record: (row: Row) => object) =>
  `[${Array.from({ length: MAX_ROWS }, (_, index) => JSON.stringify(record(rowAt(index)))).join(',')}]`

/** Files of 50,000 different flights. */
export const longImports: Record<FormatName, () => string> = {
  backup: () =>
    `{"users":[{"id":"u","username":"owner"}],"flights":${list(({ index, day, from, to }) => ({
      ...{ date: day, datePrecision: 'day', departure: `${day}T10:20:00.000Z`, arrival: `${day}T13:15:00.000Z` },
      ...{ flightNumber: `LX${index}`, aircraftReg: 'HB-JCA', note: NOTE, from: { iata: from }, to: { iata: to } },
      ...{ passengers: [{ userId: 'u', seat: 'window', seatNumber: '7A' }, { guestName: 'Noor' }] },
    }))}}`,
  myflightradar24: () =>
    lines(
      ['Date,Flight number,From,To,Dep time,Arr time,Duration,Airline,Aircraft,Registration,Note,Flight_class'],
      ({ index, day, from, to }) =>
        `${day},LX${index},Somewhere (${from}/),Elsewhere (${to}/),12:20:00,14:15:00,02:55:00,Swiss (LX/SWR),Airbus A220-300 (BCS3),HB-JCA,"${NOTE}",1`,
    ),
  flighty: () =>
    lines(
      [
        'Date,Airline,Flight,From,To,Dep Gate,Canceled,Diverted To,Gate Departure (Scheduled),Gate Departure (Actual),Take off (Actual),Landing (Actual),Gate Arrival (Scheduled),Gate Arrival (Actual),Aircraft Type Name,Tail Number,Notes,Flight Flighty ID',
      ],
      ({ index, day, from, to }) =>
        `${day},SWR,${index},${from},${to},E26,false,,${day}T13:00,${day}T13:12,${day}T13:31,${day}T15:52,${day}T15:55,${day}T16:04,Boeing 777-300ER,HB-JNA,"${NOTE}",a-${index}`,
    ),
  appintheair: () =>
    lines(
      ['Ownership.MINE', 'flights:'],
      ({ index, day, from, to }) =>
        `BUSINESS;2A;None;None;None;None;None;LX;${index};32A;${from};${to};${day}T06:10:00;${day}T08:35:00;${day}T08:10:00;${day}T10:35:00;None`,
      ['hotels:'],
    ),
  openflights: () =>
    lines(
      [
        'Date,From,To,Flight_Number,Airline,Distance,Duration,Seat,Seat_Type,Class,Reason,Plane,Registration,Trip,Note,From_OID,To_OID',
      ],
      ({ index, day, from, to }) =>
        `${day} 09:35,${from},${to},LX${index},Swiss,921,02:25,12F,W,C,B,Airbus A320,HB-IJQ,4412,"${NOTE}",1,2`,
    ),
  jetlog: () =>
    lines(
      [
        'id;date;origin;destination;departure_time;arrival_time;arrival_date;seat;ticket_class;purpose;duration;airplane;airline;tail_number;flight_number;notes',
      ],
      ({ index, day }) =>
        `${index};${day};${index % 2 ? 'LSZH;EGLL' : 'EGLL;LSZH'};07:05;07:50;;window;economy+;business;105;BCS3;SWR;HB-JCB;LX${index};${NOTE}`,
    ),
  tripit: () =>
    lines(
      ['BEGIN:VCALENDAR'],
      ({ index, day, from, to }) =>
        `BEGIN:VEVENT\nUID:${index}\nDTSTART:${day.replaceAll('-', '')}T102000Z\nDTEND:${day.replaceAll('-', '')}T131500Z\nSUMMARY:LX${index} ${from} to ${to}\nDESCRIPTION:${NOTE}\nEND:VEVENT`,
      ['END:VCALENDAR'],
    ),
  byair: () =>
    lines(
      [
        'flight_date,flight_code,departure_airport_code,arrival_airport_code,departure_time,arrival_time,notes,ownership',
      ],
      ({ index, day, from, to }) => `${day},LX${index},${from},${to},08:00,10:15,"${NOTE}",mine`,
    ),
  jetlovers: () =>
    lines(
      ['id,date,from,to,miles,airline,flightNum,aircraft,aircraft_reg,class,reason,seat_type,seat'],
      ({ index, day, from, to }) => `${index},${day},${from},${to},581,Swiss,LX${index},Avro RJ100,HB-IXN,Y,L,W,8F`,
    ),
  milesandmore: () =>
    `{"SegmentListResponses":${list(({ index, day, from, to }) => ({
      ...{ DepartureDate: day, OriginAirportCode: from, DestinationAirportCode: to, AirlineDesignatorCode: 'LX' },
      ...{ FlightNumber: `${index}`, CompartmentClass: 'Z', AircraftCode: '744', TimeOnPlane: '510' },
    }))}}`,
  csv: () =>
    lines(
      [
        'Flight date\tDeparture airport\tArrival airport\tDeparture\tArrival\tFlight number\tAirline\tAircraft\tSeat\tNotes',
      ],
      ({ index, day, from, to }) => {
        const [year, month, date] = day.split('-')
        return `${date}.${month}.${year}\t${NAMES[from] ?? from}\t${to}\t7.05 PM\t9.15 PM\tLX${index}\tSwiss\tAirbus A220-300\t7A\t${NOTE}`
      },
    ),
}
