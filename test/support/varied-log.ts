import type { Paxlog, TestUser } from './paxlog.ts'
import { flying, type Places, places } from './travel.ts'

interface Field {
  entityType: 'flight' | 'flight_passenger'
  key: string
  fieldType: string
  options?: string[]
  order?: number
}

/** Fields of every type, with unusual keys, and one of each entity that is deactivated later. */
const fields: Field[] = [
  { entityType: 'flight', key: 'booking_ref', fieldType: 'text', order: 9 },
  { entityType: 'flight', key: 'story', fieldType: 'textarea' },
  { entityType: 'flight', key: 'price', fieldType: 'number' },
  { entityType: 'flight', key: 'upgrade', fieldType: 'boolean' },
  { entityType: 'flight', key: 'booked_on', fieldType: 'date' },
  { entityType: 'flight', key: 'meal', fieldType: 'select', options: ['vegan', 'none'] },
  { entityType: 'flight', key: 'tags', fieldType: 'multi-select', options: ['sun', 'snow', 'null'] },
  { entityType: 'flight', key: 'via', fieldType: 'airport' },
  { entityType: 'flight', key: 'partner', fieldType: 'airline' },
  { entityType: 'flight', key: 'planned', fieldType: 'aircraft' },
  ...['null', 'yes', 'no', 'true', '10', '1e5', '0x1f', '_x'].map(
    (key): Field => ({ entityType: 'flight', key, fieldType: 'text' }),
  ),
  { entityType: 'flight', key: 'old_field', fieldType: 'text' },
  { entityType: 'flight_passenger', key: 'points', fieldType: 'number' },
  { entityType: 'flight_passenger', key: 'lounge', fieldType: 'airport' },
  { entityType: 'flight_passenger', key: 'old_meal', fieldType: 'text' },
]

export interface Furniture {
  mira: TestUser
  noor: TestUser
  jon: TestUser
  owner: TestUser
  made: Places
  custom: { airport: number; airline: number; aircraft: number }
  /** Deactivates the fields named old_. */
  retire: () => Promise<void>
}

/** Creates users, reference data and custom fields, into which an export can be restored. */
export async function furnish(app: Paxlog): Promise<Furniture> {
  // Makes ids differ between instances.
  for (let count = Math.floor(Math.random() * 3); count > 0; count--) app.user()
  const owner = app.user({ owner: true, username: 'boss', displayName: 'The Boss' })
  const mira = app.user({ username: 'mira', displayName: 'Mira "M" Å' })
  const noor = app.user({ username: 'Noor', displayName: 'Noor' })
  const jon = app.user({ username: 'jon', displayName: 'Jón Þór 🛩' })
  const made = places(app.db)
  const as = app.as(owner)
  const create = async (path: string, body: object): Promise<number> => {
    const { status, body: answer, text } = await as.post(path, body)
    if (status !== 201) throw new Error(text)
    return answer.data.id
  }
  const custom = {
    airport: await create('/airports', {
      icao: 'XQ-01',
      name: 'Grandma\'s field: #1 \\ "home"',
      latitude: -0.000001,
      longitude: 179.999,
      timezone: 'Asia/Kathmandu',
      continent: 'AS',
      country: 'np',
    }),
    // Names and codes that also exist in shipped rows.
    airline: await create('/airlines', { name: 'My Air', icao: 'SWR', iata: 'LX' }),
    aircraft: await create('/aircraft', { name: 'Home built', icao: 'BCS3' }),
  }
  await create('/airlines', { name: 'Codeless', iata: 'LX' })
  const ids = new Map<string, number>()
  for (const field of fields)
    ids.set(field.key, await create('/custom-fields', { label: `Label of ${field.key}`, ...field }))
  const retire = async () => {
    for (const key of ['old_field', 'old_meal']) {
      const { status } = await as.put(`/custom-fields/${ids.get(key)}`, { label: `Label of ${key}`, active: false })
      if (status !== 200) throw new Error(`${key} was not deactivated`)
    }
  }
  return { mira, noor, jon, owner, made, custom, retire }
}

export const longTrack = (points: number) => ({
  coordinates: Array.from({ length: points }, (_, index) =>
    index % 3 === 0 ? [index / 1000, -index / 2000] : [index / 1000, -index / 2000, 10_000.5 + index],
  ),
  sourceFormat: 'readsb',
  sourceName: 'línea "1".json',
  times: Array.from({ length: points }, (_, index) => 1_700_000_000 + index),
  groundSpeedKt: Array.from({ length: points }, (_, index) => index / 7),
  trackDeg: Array.from({ length: points }, (_, index) => index % 360),
  ground: Array.from({ length: points }, (_, index) => index < 2),
  estimated: Array.from({ length: points }, () => false),
})

const ODD_TEXT =
  'Tab\t, quote ", backslash \\, line\nbreak, é, 漢字, 🛫, \u2028, \u007f, \ufeff, : # - {} [] & * ! | > % @ `'

/** Adds flights of every kind as the owner, who has all permissions. */
export async function fill(app: Paxlog, { mira, noor, jon, owner, made, custom, retire }: Furniture): Promise<void> {
  const fly = flying(app, made)
  const { airlines, aircraft, airports } = made
  await fly(owner, 'ZRH', 'LIS', {
    date: '2025-05-03',
    departure: '2025-05-03T10:20:00.123Z',
    arrival: '2025-05-03T13:15:00Z',
    departureScheduled: '2025-05-03T10:15:00Z',
    arrivalScheduled: '2025-05-03T13:10:00Z',
    takeoffScheduled: '2025-05-03T10:30:00Z',
    takeoffActual: '2025-05-03T10:31:00Z',
    landingScheduled: '2025-05-03T13:00:00Z',
    landingActual: '2025-05-03T13:01:00Z',
    duration: 1,
    departureTerminal: '',
    departureGate: 'no',
    arrivalTerminal: '1e3',
    arrivalGate: '~',
    flightNumber: 'lx 20-84',
    aircraftReg: 'HB-JCA',
    note: ODD_TEXT,
    airlineId: airlines.swissair,
    aircraftId: aircraft.a220,
    customFields: {
      booking_ref: '007',
      story: ODD_TEXT,
      price: 1e21,
      upgrade: false,
      booked_on: '2025-01-02',
      meal: 'none',
      tags: ['null', 'sun'],
      via: custom.airport,
      partner: custom.airline,
      planned: custom.aircraft,
      null: 'null',
      yes: 'no',
      no: '1',
      true: 'false',
      10: '010',
      '1e5': '1e5',
      '0x1f': '0x1f',
      _x: '~',
      old_field: 'kept although inactive',
    },
    track: longTrack(2100),
    passengers: [
      { userId: noor.id, seat: 'pilot', seatNumber: '0A', seatClass: 'private', flightReason: 'crew' },
      { userId: mira.id, seat: 'window', customFields: { points: -0.5, lounge: airports.CPH, old_meal: 'fish' } },
      { guestName: 'Noor' },
      { guestName: 'Ådél (2)', seatClass: 'economy+', customFields: { points: 5e-7 } },
    ],
  })
  await fly(owner, 'AKL', 'HNL', {
    date: '2020-02-01',
    datePrecision: 'month',
    airlineId: airlines.sas,
    passengers: [{ userId: mira.id }],
  })
  await fly(owner, 'HNL', 'AKL', {
    date: '1999-01-01',
    datePrecision: 'year',
    airlineId: airlines.swiss,
    passengers: [{ userId: jon.id }, { userId: mira.id }],
  })
  await fly(owner, 'APW', 'APW', { date: '0001-01-01', note: '', passengers: [{ guestName: 'Only a guest' }] })
  await fly(owner, 'KTM', 'ZRH', {
    date: '2024-07-01',
    aircraftId: aircraft.dc3,
    track: {
      coordinates: [
        [0, 0],
        [1e-7, -1e-7],
      ],
      sourceFormat: 'gpx',
    },
    passengers: [{ userId: owner.id }],
  })
  const home = { date: '2024-07-02', fromId: custom.airport, airlineId: custom.airline, aircraftId: custom.aircraft }
  await fly(owner, 'KTM', 'ZRH', { ...home, passengers: [{ userId: mira.id }] })
  // Equal flights are separate records.
  for (let twice = 0; twice < 2; twice++)
    await fly(owner, 'CPH', 'LHR', { date: '2023-03-03', passengers: [{ userId: mira.id }] })
  await retire()
}
