import type { Flight } from '../../../domain/flights/contract.ts'
import type { Airline } from '../../../domain/reference/contract.ts'
import { flagPath } from '../framework/assets.ts'

type Passenger = Flight['passengers'][number]

/** Strokes in a box of 24 by 24. */
const icons = {
  // Seats
  window: 'M7 4h10a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2Zm-2 8h14',
  aisle: 'M4 4v9a2 2 0 0 0 2 2h3V8a2 2 0 0 0-2-2M20 4v9a2 2 0 0 1-2 2h-3V8a2 2 0 0 1 2-2M12 4v2m0 3v2m0 3v2m0 3v2',
  middle: 'M8 4h8v10H8Zm0 10v5m8-5v5M3 8v9m18-9v9',
  pilot: 'M12 3v6m0 6v6m-9-9h6m6 0h6M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6Zm0-6a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z',
  copilot: 'M12 3v6m-9 3h6m6 0h6M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6Zm0-6a9 9 0 1 0 0 18 9 9 0 0 0 0-18Z',
  jumpseat: 'M6 4v8h9M6 12v8m9-8v8M15 12h3',
  // Classes
  economy: 'M7 4v9h9a2 2 0 0 1 2 2v5M7 13v7',
  'economy+': 'M7 4v9h7a2 2 0 0 1 2 2v5M7 13v7M18 4v6m-3-3h6',
  business: 'M5 4l3 10h7l5 6M8 14v6M15 14v-4h-5',
  first: 'm12 3 2.7 5.7 6.3.8-4.6 4.3 1.2 6.2-5.6-3-5.6 3 1.2-6.2L3 9.5l6.3-.8Z',
  private: 'M3 18 8 7l4 6 4-6 5 11ZM3 21h18',
  // Reasons
  leisure:
    'M12 3v3m0 12v3M3 12h3m12 0h3M5.6 5.6l2.2 2.2m8.4 8.4 2.2 2.2m0-12.8-2.2 2.2m-8.4 8.4-2.2 2.2M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8Z',
  work: 'M4 8h16v11H4Zm5 0V5h6v3M4 13h16',
  crew: 'M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM4 21c0-5 3-7 8-7s8 2 8 7m-10-7 2 4 2-4',
  other: 'M5 12h.01M12 12h.01M19 12h.01',
  // Actions and things
  plane:
    'M21 3c-1-1-2.6-.7-3.6.3L14 6.7 4.6 4.4 3 6l7.6 4-3.4 3.4-2.6-.3L3 14.7l3.6 2.7L9.3 21l1.6-1.6-.3-2.6 3.4-3.4 4 7.6 1.6-1.6L17.3 10l3.4-3.4C21.7 5.6 22 4 21 3Z',
  trip: 'M4 8h16v12H4Zm5 0V4h6v4M8 8v12m8-12v12',
  map: 'm3 6 6-3 6 3 6-3v15l-6 3-6-3-6 3ZM9 3v15m6-12v15',
  chart: 'M4 21V11h4v10m2 0V3h4v18m2 0v-7h4v7M2 21h20',
  globe: 'M12 2a10 10 0 1 0 0 20 10 10 0 1 0 0-20ZM2 12h20M12 2c-6 6-6 14 0 20 6-6 6-14 0-20Z',
  add: 'M12 4v16M4 12h16',
  scan: 'M3 8V3h5m8 0h5v5m0 8v5h-5m-8 0H3v-5M7 8v8m3-8v8m4-8v8m3-8v8',
  note: 'M5 3h10l4 4v14H5Zm10 0v4h4M9 12h6m-6 4h6',
  track: 'M4 19c3 0 3-4 6-4s3 2 5-2 3-8 5-8',
  people:
    'M9 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM2 21c0-5 3-6 7-6s7 1 7 6M16 4.5a3.5 3.5 0 0 1 0 7M19 15.5c2 .7 3 2.3 3 5.5',
} as const

export type IconName = keyof typeof icons

/** Decoration: the text beside it says the same. */
export const Icon = ({ name, size = 18 }: { name: IconName; size?: number }) => (
  <svg class="icon" viewBox="0 0 24 24" width={size} height={size} aria-hidden="true" focusable="false">
    <path d={icons[name]} />
  </svg>
)

export const seatIcon = (seat: NonNullable<Passenger['seat']>): IconName => seat

export const classIcon = (seatClass: NonNullable<Passenger['seatClass']>): IconName => seatClass

/** The reason and the class share the word "business". */
export const reasonIcon = (reason: NonNullable<Passenger['flightReason']>): IconName =>
  reason === 'business' ? 'work' : reason

/** The name of the country stands beside it. */
export function Flag({ country, basePath }: { country: string; basePath: string }) {
  const path = flagPath(country)
  return path ? <img class="flag" src={basePath + path} alt="" width="21" height="14" loading="lazy" /> : null
}

const BADGE_COLOURS = 8

/** The same airline always has the same colour. */
const badgeColour = (code: string) =>
  [...code].reduce((sum, letter) => sum * 31 + letter.codePointAt(0)!, 7) % BADGE_COLOURS

/** The code of an airline in a colour of its own. The name of the airline stands beside it. */
export function AirlineBadge({ airline }: { airline: Pick<Airline, 'iata' | 'icao'> | null | undefined }) {
  const code = airline?.iata ?? airline?.icao
  return code ? (
    <span class={`badge colour-${badgeColour(code) + 1}`} aria-hidden="true">
      {code}
    </span>
  ) : null
}
