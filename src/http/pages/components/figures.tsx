import type { Formats } from '../framework/formats.ts'
import type { PageTexts } from '../texts/languages.ts'

type Sums = Record<'flights' | 'distanceKm' | 'durationSeconds' | 'airports', number>

/** For headlines and pictures: the distance first, each with a short name. */
export function headlineFigures(
  sums: Sums & { countries?: number | undefined },
  formats: Formats,
  { figures: t }: PageTexts,
) {
  const { flights, distanceKm, durationSeconds, airports, countries } = sums
  const pairs: [string, string][] = [
    [t.words.distance, formats.distance(distanceKm)],
    [t.words.flights({ count: flights }), formats.count(flights)],
  ]
  // 0 means that no times are known.
  if (durationSeconds > 0) pairs.push([t.words.time, formats.roundDuration(durationSeconds)])
  pairs.push([t.words.airports({ count: airports }), formats.count(airports)])
  if (countries !== undefined) pairs.push([t.words.countries({ count: countries }), formats.count(countries)])
  return pairs
}
