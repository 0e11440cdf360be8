import type { CompletedFlight } from './rows.ts'

const MAX_ON_TIME_MS = 15 * 60_000

const columns = ['id', 'precision', 'departure', 'departureScheduled', 'arrival', 'arrivalScheduled'] as const
type Timed = CompletedFlight<(typeof columns)[number]>

/** Half up, as `Math.round` does. */
const inSeconds = (ms: number) => Math.round(ms / 1000)

function delays() {
  /** The number of flights by delay: few delays are distinct, so the median needs little memory. */
  const flights = new Map<number, number>()
  const counts = { known: 0, early: 0, onTime: 0, late: 0 }
  let [sumMs, lostMs] = [0, 0]
  let worst: { id: number; ms: number } | undefined

  function add(id: number, scheduled: string | null, actual: string | null): void {
    if (scheduled === null || actual === null) return
    const ms = Date.parse(actual) - Date.parse(scheduled)
    flights.set(ms, (flights.get(ms) ?? 0) + 1)
    counts.known++
    if (ms < 0) counts.early++
    if (ms < MAX_ON_TIME_MS) counts.onTime++
    else counts.late++
    sumMs += ms
    lostMs += Math.max(0, ms)
    if (!worst || ms > worst.ms) worst = { id, ms }
  }

  /** The mean of the two in the middle if their number is even. */
  function median(): number {
    const sorted = Float64Array.from(flights.keys()).sort()
    function delayAt(position: number): number {
      let passed = 0
      for (const ms of sorted) {
        passed += flights.get(ms)!
        if (passed > position) return ms
      }
      return 0
    }
    return (delayAt(Math.floor((counts.known - 1) / 2)) + delayAt(Math.floor(counts.known / 2))) / 2
  }

  const result = () => ({
    ...counts,
    averageSeconds: counts.known > 0 ? inSeconds(sumMs / counts.known) : null,
    medianSeconds: counts.known > 0 ? inSeconds(median()) : null,
    worstId: worst?.id,
  })

  return { add, result, lostSeconds: () => inSeconds(lostMs) }
}

export type PunctualityFound = ReturnType<ReturnType<typeof punctuality>['result']>

/** The delays of contract 17.3. Takes flights by date, then by id; of equal delays the first one is the worst. */
export function punctuality() {
  const [departures, arrivals] = [delays(), delays()]

  function add(slice: readonly Timed[]): void {
    for (const { id, precision, departure, departureScheduled, arrival, arrivalScheduled } of slice) {
      if (precision !== 'day') continue
      departures.add(id, departureScheduled, departure)
      arrivals.add(id, arrivalScheduled, arrival)
    }
  }

  const result = () => ({
    departure: departures.result(),
    arrival: arrivals.result(),
    lostSeconds: arrivals.lostSeconds(),
  })

  return { columns, add, result }
}
