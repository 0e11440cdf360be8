import type { entities as source } from '../en/entities.ts'
import { plural, type Translation } from '../message.ts'

export const entities: Translation<typeof source> = {
  flights: 'フライト',
  city: '都市',
  country: '国・地域',
  iataCode: 'IATAコード',
  icaoCode: 'ICAOコード',
  timeZone: 'タイムゾーン',
  firstFlight: '最初のフライト',
  lastFlight: '最後のフライト',
  flight: '{date} {from} → {to}',
  noFlights: 'ログにフライトはありません。',
  departures: plural({ other: '出発' }),
  arrivals: plural({ other: '到着' }),
  distance: '飛行距離',
  fastest: '最短所要時間',
  routes: '路線',
  mostFlownRoutes: plural({ other: '搭乗回数の多い路線（上位{count}）' }),
  route: '{from} → {to}',
  flightCount: plural({ other: '{count}フライト' }),
}
