import { write } from '../../src/db/write.ts'
import type { Paxlog, TestUser } from './paxlog.ts'
import { flying, type Places, places } from './travel.ts'

export type Flag =
  | 'showMap'
  | 'showStats'
  | 'showFlightList'
  | 'showFlightNumbers'
  | 'showAirlines'
  | 'showAircraft'
  | 'showTimes'
  | 'showTracks'
  | 'showDates'
  | 'showSeat'

export const flags: readonly Flag[] = [
  'showMap',
  'showStats',
  'showFlightList',
  'showFlightNumbers',
  'showAirlines',
  'showAircraft',
  'showTimes',
  'showTracks',
  'showDates',
  'showSeat',
]

/** Unique words that each flag shows, with the flags that are needed to show them. */
export const markers: Record<string, { needs: readonly Flag[]; words: readonly string[] }> = {
  'flight number': { needs: ['showFlightNumbers', 'showFlightList'], words: ['QX7731'] },
  airline: { needs: ['showAirlines', 'showFlightList'], words: ['Zephyrline'] },
  'airline in the figures': { needs: ['showAirlines', 'showStats'], words: ['Zephyrline'] },
  aircraft: { needs: ['showAircraft', 'showFlightList'], words: ['Albatros Mk4'] },
  'aircraft in the figures': { needs: ['showAircraft', 'showStats'], words: ['Albatros Mk4'] },
  registration: { needs: ['showAircraft', 'showFlightList'], words: ['HB-QQX'] },
  date: { needs: ['showDates', 'showFlightList'], words: ['2023-10-17'] },
  // Local times in Zurich and in New York.
  times: {
    needs: ['showDates', 'showTimes', 'showFlightList'],
    words: ['09:03', '11:57', '09:01', '11:55', '09:11', '09:13', '11:41', '11:43'],
  },
  'seat number': { needs: ['showSeat', 'showFlightList'], words: ['47Q'] },
  seat: { needs: ['showSeat', 'showFlightList'], words: ['jumpseat'] },
  class: { needs: ['showSeat', 'showFlightList'], words: ['economy+'] },
  track: { needs: ['showMap', 'showTracks'], words: ['33.377', '44.733'] },
}

/** Words that no share shows. */
export const secrets = [
  'NOTE-MARK',
  'TERMINAL-D',
  'GATE-D',
  'TERMINAL-A',
  'GATE-A',
  'Guest Secretname',
  'CUSTOM-MARK',
  'PASSENGER-MARK',
  'crewmark',
  'ownername',
  'Owner Displayname',
  'otheruser',
  'Other Displayname',
  '48R',
  'sourcemark.gpx',
]

/** A share of one flight with a unique word in every field. */
export async function sharedFlight(app: Paxlog) {
  const placeIds: Places = places(app.db)
  const { $client } = app.db
  await write(app.db, 'reference', () => {
    $client.exec("update airlines set name = 'Zephyrline', icao = 'ZPL', iata = null where name = 'Swiss'")
    $client.exec("update aircraft set name = 'Albatros Mk4' where name = 'Airbus A220-300'")
  })
  const owner = app.user({ username: 'ownername', displayName: 'Owner Displayname' })
  const other = app.user({ username: 'otheruser', displayName: 'Other Displayname' })
  const admin = app.user({ role: 'role-administrator' })
  const field = async (entityType: string, key: string) =>
    app.as(admin).post('/custom-fields', { entityType, key, label: key, fieldType: 'text' })
  await field('flight', 'secret')
  await field('flight_passenger', 'meal')
  const id = await flying(app, placeIds)(owner, 'ZRH', 'JFK', {
    date: '2023-10-17',
    departure: '2023-10-17T07:03:00Z',
    arrival: '2023-10-17T15:57:00Z',
    departureScheduled: '2023-10-17T07:01:00Z',
    arrivalScheduled: '2023-10-17T15:55:00Z',
    takeoffScheduled: '2023-10-17T07:11:00Z',
    takeoffActual: '2023-10-17T07:13:00Z',
    landingScheduled: '2023-10-17T15:41:00Z',
    landingActual: '2023-10-17T15:43:00Z',
    departureTerminal: 'TERMINAL-D',
    departureGate: 'GATE-D',
    arrivalTerminal: 'TERMINAL-A',
    arrivalGate: 'GATE-A',
    flightNumber: 'QX7731',
    aircraftReg: 'HB-QQX',
    note: 'NOTE-MARK',
    airlineId: placeIds.airlines.swiss,
    aircraftId: placeIds.aircraft.a220,
    customFields: { secret: 'CUSTOM-MARK' },
    track: {
      coordinates: [
        [8.5, 47.4],
        [33.377, -44.733, 11277],
        [-73.7, 40.6],
      ],
      sourceFormat: 'gpx',
      sourceName: 'sourcemark.gpx',
      times: [1697526180, 1697540000, 1697558220],
    },
    passengers: [
      {
        userId: owner.id,
        seat: 'jumpseat',
        seatNumber: '47Q',
        seatClass: 'economy+',
        flightReason: 'crew',
        customFields: { meal: 'PASSENGER-MARK' },
      },
      { userId: other.id, seat: 'window', seatNumber: '48R' },
      { guestName: 'Guest Secretname' },
    ],
  })
  // "crew" could occur elsewhere, so store a longer value.
  const change = "update passengers set flight_reason = 'crewmark' where flight_reason = 'crew'"
  await write(app.db, 'flights', () => $client.exec(change))

  /** Creates a share with exactly these flags on. */
  async function share(
    on: readonly Flag[],
    more: Record<string, unknown> = {},
    who: TestUser = owner,
  ): Promise<string> {
    const body = { ...Object.fromEntries(flags.map((flag) => [flag, on.includes(flag)])), ...more }
    const { status, body: answer, text } = await app.as(who).post('/shares', body)
    if (status !== 201) throw new Error(`The share was not created: ${text}`)
    return answer.data.slug
  }
  return { made: placeIds, owner, other, admin, id, share }
}

/** All flags except one. */
export const allBut = (hidden: Flag): Flag[] => flags.filter((flag) => flag !== hidden)
