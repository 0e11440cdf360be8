import { operator } from '../../src/access/caller.ts'
import { FlightWrite } from '../../src/domain/flights/contract.ts'
import { ShareWrite } from '../../src/domain/shares/contract.ts'
import type { Paxlog } from './paxlog.ts'

const FLIGHTS = 520
/** Number of other records, more than any page shows. */
const ROWS = 55
const VALUES = 120
const FLIGHTS_PER_TRIP = 8

export type FullLog = Awaited<ReturnType<typeof fullLog>>

const track = { coordinates: [[8.5, 47.4], [-9.1, 38.7]], sourceFormat: 'gpx' } // biome-ignore format: two points

/** Fills the log of an owner with many airports, airlines, types, companions and custom values of the shipped data. */
export async function fullLog(app: Paxlog, owner: { id: string }) {
  const { db, services } = app
  const client = db.$client
  const key = app.key(owner.id)
  const as = app.as(key)
  let counter = 0
  const unique = (word: string) => `${word}${++counter}`

  async function created(path: string, body: object): Promise<{ id: number }> {
    const { status, body: answer, text } = await as.post(path, body)
    if (status !== 201) throw new Error(`${path}: ${text}`)
    return answer.data
  }
  const several = async <Item>(count: number, make: () => Promise<Item>): Promise<Item[]> => {
    const items: Item[] = []
    for (let index = 0; index < count; index++) items.push(await make())
    return items
  }
  const ids = (sql: string) => client.prepare(sql).pluck().all() as number[]
  const airportIds = ids(
    `select min(id) from airports where iata is not null and type <> 'closed' group by country order by country limit ${VALUES}`,
  )
  const airlineIds = ids(`select id from airlines where icao is not null order by id limit ${VALUES}`)
  const aircraftIds = ids(`select id from aircraft where icao is not null order by id limit ${VALUES}`)
  const at = <Item>(list: readonly Item[], index: number) => list[index % list.length]!

  const place = { latitude: 1, longitude: 2, timezone: 'UTC', continent: 'EU', country: 'CH', name: 'Field' }
  const make = {
    airport: () => created('/airports', { ...place, icao: unique('XQ') }),
    airline: () => created('/airlines', { name: unique('Airline ') }),
    aircraft: () => created('/aircraft', { name: unique('Type ') }),
    field: (more: object = {}) =>
      created('/custom-fields', {
        entityType: 'flight',
        key: unique('key_'),
        label: 'Label',
        fieldType: 'text',
        ...more,
      }),
    user: async () => app.user({ username: unique('user') }).id,
    role: async () => app.role(['flight.read.own'], unique('Role ')),
    share: async () => (await services.shares.create({ ...operator, userId: owner.id }, ShareWrite.parse({}))).id,
    trip: () => created('/trips', { name: unique('Trip '), flightIds: flights.slice(0, 20) }),
    flight: async () => flight(++counter),
  }

  const customIds = {
    airports: await several(ROWS, make.airport),
    airlines: await several(ROWS, make.airline),
    aircraft: await several(ROWS, make.aircraft),
  }
  const users = await several(ROWS, make.user)
  await several(ROWS, make.role)
  await several(ROWS, make.share)
  for (const fieldType of ['text', 'airport', 'airline', 'aircraft']) await make.field({ key: fieldType, fieldType })
  await make.field({ key: 'meal', entityType: 'flight_passenger' })
  await make.field({ key: 'lounge', entityType: 'flight_passenger', fieldType: 'airport' })

  function write(index: number) {
    const start = Date.UTC(2010, 0, 1) + index * 8 * 86_400_000
    const [departure, arrival] = [start, start + 7_200_000].map((time) => new Date(time).toISOString())
    return {
      date: departure!.slice(0, 10),
      departure,
      arrival,
      fromId: at(airportIds, index),
      toId: at(airportIds, index * 7 + 3),
      airlineId: at(airlineIds, index),
      aircraftId: at(aircraftIds, index),
      flightNumber: `LX${index}`,
      aircraftReg: `HB-${index % ROWS}`,
      note: 'A note of the usual length.',
      passengers: [
        { userId: owner.id, seat: 'window', seatClass: 'economy', customFields: { lounge: at(airportIds, index + 7) } },
        { userId: at(users, index), customFields: { meal: 'fish' } },
        { guestName: `Guest ${index % ROWS}` },
      ],
      customFields: {
        text: 'Some text',
        airport: at(airportIds, index + 5),
        airline: at(airlineIds, index + 5),
        aircraft: at(aircraftIds, index + 5),
      },
      ...(index % 2 === 0 && { track }),
    }
  }
  const flight = async (index: number): Promise<number> =>
    (await services.flights.create(operator, FlightWrite.parse(write(index)))).id
  const flights = await Promise.all(Array.from({ length: FLIGHTS }, (_, index) => flight(index)))

  let trip: { id: number } | undefined
  for (let start = 0; start < FLIGHTS; start += FLIGHTS_PER_TRIP)
    trip = await created('/trips', { name: unique('Trip '), flightIds: flights.slice(start, start + FLIGHTS_PER_TRIP) })

  const codes = client.prepare("select distinct country from airports where country <> 'CH' order by 1").pluck().all()
  for (const code of codes.slice(0, ROWS) as string[])
    client.prepare("insert into visited_countries (user_id, code, status) values (?, ?, 'visited')").run(owner.id, code)
  for (let index = 0; index < ROWS; index++) app.key(owner.id)

  const caller = { ...operator, userId: owner.id }
  const flags = ['showMap', 'showStats', 'showFlightList', 'showFlightNumbers', 'showAirlines', 'showAircraft']
  const shown = Object.fromEntries([...flags, 'showTimes', 'showTracks', 'showSeat'].map((flag) => [flag, true]))
  const share = await services.shares.create(caller, ShareWrite.parse(shown))
  const calendar = await services.calendars.make(caller, true)

  const asset = /\/assets\/[\w.-]+/.exec((await app.request({ url: '/login' })).text)![0]

  const importer = app.user({ username: 'importer' })

  return {
    importer,
    asset,
    share,
    trip: trip!,
    calendar,
    owner,
    key,
    users,
    airportIds,
    airlineIds,
    aircraftIds,
    own: customIds,
    flights,
    make,
    write,
    unique,
    place,
    track,
  }
}
