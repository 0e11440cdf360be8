import type { DayFlown } from '../../../../../domain/stats/overview.ts'
import type { Formats } from '../../../framework/formats.ts'
import { useTexts } from '../../../framework/localization.ts'

const DAY_MS = 24 * 60 * 60_000
const [STEP, SIZE, TOP] = [13, 11, 16]
/** More flights on a day have the same colour. */
const LEVELS = 4
/** Weeks of half a year that begin in two different months. */
const WEEKS = 28

interface HalfProps {
  year: number
  /** The first month, 0 or 6. */
  month: number
  flown: ReadonlyMap<string, number>
  formats: Formats
}

/** Six months: a column per week, a row per weekday. */
function HalfYear({ year, month, flown, formats }: HalfProps) {
  const t = useTexts().statistics
  const start = Date.UTC(year, month, 1)
  const weekdayOf = (time: number) => (new Date(time).getUTCDay() + (formats.weekStartsOnSunday ? 0 : 6)) % 7
  const offset = weekdayOf(start)
  const placeOf = (time: number) => {
    const day = Math.round((time - start) / DAY_MS) + offset
    return { x: Math.floor(day / 7) * STEP, y: TOP + (day % 7) * STEP }
  }
  const length = Math.round((Date.UTC(year, month + 6, 1) - start) / DAY_MS)
  const days = Array.from({ length }, (_, index) => {
    const time = start + index * DAY_MS
    const date = new Date(time).toISOString().slice(0, 10)
    return { date, flights: flown.get(date) ?? 0, ...placeOf(time) }
  })
  const [empty, busy] = [days.filter(({ flights }) => flights === 0), days.filter(({ flights }) => flights > 0)]
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${WEEKS * STEP} ${TOP + 7 * STEP}`}>
      {formats.months.slice(month, month + 6).map((name, index) => (
        <text key={name} class="start" x={placeOf(Date.UTC(year, month + index, 7)).x} y="10">
          {name}
        </text>
      ))}
      <path class="vacant" d={empty.map(({ x, y }) => `M${x} ${y}h${SIZE}v${SIZE}h-${SIZE}z`).join('')} />
      {busy.map(({ date, flights, x, y }) => (
        <rect key={date} class={`heat-${Math.min(flights, LEVELS)}`} x={x} y={y} width={SIZE} height={SIZE} rx="2">
          <title>{t.flightsOn({ day: formats.day(date), count: flights })}</title>
        </rect>
      ))}
    </svg>
  )
}

interface Props {
  year: number
  days: readonly DayFlown[]
  formats: Formats
  href: string
}

/** The days of a year, coloured by their number of flights. */
export function Calendar({ year, days, formats, href }: Props) {
  const t = useTexts().statistics
  const flown = new Map(days.map(({ date, flights }) => [date, flights]))
  const name = String(year).padStart(4, '0')
  const count = t.daysFlown({ count: days.length })
  return (
    <div class="calendar">
      <p>
        <a class="standalone" href={href}>
          {name}
        </a>{' '}
        <span class="quiet">{count}</span>
      </p>
      <div class="halves" role="img" aria-label={t.share({ label: name, share: count })}>
        <HalfYear year={year} month={0} flown={flown} formats={formats} />
        <HalfYear year={year} month={6} flown={flown} formats={formats} />
      </div>
    </div>
  )
}

export function HeatLegend({ formats }: { formats: Formats }) {
  const t = useTexts().statistics
  const levels = Array.from({ length: LEVELS }, (_, index) => index + 1)
  return (
    <p class="legend">
      {t.heat}{' '}
      {levels.map((level) => (
        <span key={level} class="step">
          <svg class="swatch" width="12" height="12" aria-hidden="true">
            <rect class={`heat-${level}`} width="12" height="12" rx="3" />
          </svg>{' '}
          {level < LEVELS ? formats.count(level) : t.orMore({ count: level })}
        </span>
      ))}
    </p>
  )
}
