import { find } from 'geo-tz/all'

// Only zones that overlap with another one in the boundary data; Asia/Urumqi is left out on purpose,
// because airlines and airports in Xinjiang keep Beijing time.
const COUNTRY_OF_OVERLAPPING_ZONE: Record<string, string> = {
  'Africa/Juba': 'SS',
  'Africa/Khartoum': 'SD',
  'Asia/Hebron': 'PS',
  'Asia/Jerusalem': 'IL',
  'Asia/Shanghai': 'CN',
  'Asia/Tbilisi': 'GE',
  'Europe/Moscow': 'RU',
}

/** The zone at a place; where several overlap, the one of the airport's country, else the first. */
export function zoneOf(latitude: number, longitude: number, country: string): string {
  const zones = find(latitude, longitude)
  return zones.find((zone) => COUNTRY_OF_OVERLAPPING_ZONE[zone] === country) ?? zones[0] ?? 'Etc/UTC'
}
