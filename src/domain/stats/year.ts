import type { FigureName } from '../flights/scan.ts'
import type { Aircraft, Airport, Records } from '../reference/contract.ts'
import type { Breakdown } from './contract.ts'
import { byMonthOfYear, type KeyFigures, keyFigures } from './overview.ts'
import { recordsOf } from './records.ts'
import type { CompletedFlight } from './rows.ts'
import { logScan } from './scan.ts'

/** A year, what was new in it, and the year before. */
export interface YearReview {
  figures: KeyFigures
  before: KeyFigures
  byMonth: Breakdown
  /** In the order in which they were met. */
  firsts: { airports: Airport[]; countries: string[]; aircraft: Aircraft[] }
  routes: { from: Airport; to: Airport; count: number }[]
  records: ReturnType<ReturnType<typeof recordsOf>['result']>
}

/** What was met before the year, and what in it for the first time. */
function firstMet<Key>() {
  const [known, fresh] = [new Set<Key>(), new Set<Key>()]
  return {
    /** Whether it was not met before. */
    meet(key: Key, isNew: boolean): boolean {
      if (known.has(key)) return false
      known.add(key)
      if (isNew) fresh.add(key)
      return true
    },
    fresh: () => [...fresh],
  }
}

/** Counts up a log that comes in slices, oldest first, up to the end of the year. */
export function yearReview(year: number, records: Records) {
  const [own, before] = [keyFigures(records), keyFigures(records)]
  const [months, outstanding, scan] = [byMonthOfYear(), recordsOf(records.airport), logScan()]
  const [airports, countries, aircraft] = [firstMet<number>(), firstMet<string>(), firstMet<number>()]
  const columns = new Set<FigureName>([own, months, outstanding, scan].flatMap((each) => [...each.columns]))
  const yearOf = ({ date }: CompletedFlight<'date'>) => Number(date.slice(0, 4))

  function add(slice: readonly CompletedFlight[]): void {
    for (const flight of slice) {
      const isNew = yearOf(flight) === year
      for (const id of [flight.fromId, flight.toId]) {
        if (airports.meet(id, isNew)) countries.meet(records.airport(id)!.country, isNew)
      }
      if (flight.aircraftId !== null) aircraft.meet(flight.aircraftId, isNew)
    }
    const ofYear = slice.filter((flight) => yearOf(flight) === year)
    for (const each of [own, months, outstanding, scan]) each.add(ofYear)
    before.add(slice.filter((flight) => yearOf(flight) === year - 1))
  }

  const result = (): YearReview => ({
    figures: own.result(),
    before: before.result(),
    byMonth: months.result(),
    firsts: {
      airports: airports.fresh().map((id) => records.airport(id)!),
      countries: countries.fresh(),
      aircraft: aircraft.fresh().map((id) => records.aircraft(id)!),
    },
    routes: scan
      .result()
      .routes.map(({ fromId, toId, count }) => ({ from: records.airport(fromId)!, to: records.airport(toId)!, count })),
    records: outstanding.result(),
  })

  return { columns: [...columns], add, finish: months.finish, result }
}
