import { exampleOf } from '../../contract/common.ts'
import { Aircraft, Airline, Airport } from '../reference/contract.ts'

export const passengerExample = {
  id: 2077,
  user: { id: 'k3v9x0q2m7b1c5d', username: 'mira', displayName: 'Mira' },
  guestName: null,
  seat: 'window',
  seatNumber: '12A',
  seatClass: 'economy',
  flightReason: 'leisure',
  customFields: { meal: 'snack' },
}

const lisbon = {
  id: 3120,
  icao: 'LPPT',
  iata: 'LIS',
  name: 'Lisbon Airport',
  municipality: 'Lisbon',
  latitude: 38.7813,
  longitude: -9.13592,
  timezone: 'Europe/Lisbon',
  type: 'large_airport',
  continent: 'EU',
  country: 'PT',
  custom: false,
}

export const flightExample = {
  id: 1042,
  date: '2025-05-03',
  datePrecision: 'day',
  departure: '2025-05-03T10:20:00.000Z',
  arrival: '2025-05-03T13:10:00.000Z',
  departureScheduled: '2025-05-03T10:15:00.000Z',
  arrivalScheduled: '2025-05-03T13:05:00.000Z',
  takeoffScheduled: null,
  takeoffActual: null,
  landingScheduled: null,
  landingActual: null,
  duration: 10200,
  departureTerminal: null,
  departureGate: 'A71',
  arrivalTerminal: '1',
  arrivalGate: null,
  flightNumber: 'LX2084',
  aircraftReg: 'HB-JCS',
  note: null,
  from: exampleOf(Airport),
  to: lisbon,
  airline: exampleOf(Airline),
  aircraft: exampleOf(Aircraft),
  passengers: [passengerExample],
  track: null,
  customFields: {},
  distanceKm: 1723.6,
  createdAt: '2025-05-03T18:00:00.000Z',
  updatedAt: '2025-05-03T18:00:00.000Z',
}

export const passengerWriteExample = {
  userId: 'k3v9x0q2m7b1c5d',
  seat: 'window',
  seatNumber: '12A',
  seatClass: 'economy',
}

export const flightWriteExample = {
  date: '2025-05-03',
  departure: '2025-05-03T12:20:00+02:00',
  arrival: '2025-05-03T14:10:00+01:00',
  flightNumber: 'LX2084',
  fromId: 4711,
  toId: 3120,
  airlineId: 612,
  aircraftId: 88,
}
