import type { LogFlight, LogPage } from '../../../domain/flights/query/user-log.ts'
import { codeOf } from '../../../domain/reference/contract.ts'
import type { Formats } from '../framework/formats.ts'
import { instantsOf } from './clocks.tsx'
import { addressOf } from './filter-bar/filter.ts'
import { daysLeft, FlightLine } from './flight-list.tsx'
import { PageNumbers } from './lists.tsx'
import { Section } from './section.tsx'

interface Props {
  log: LogPage
  /** On which page each year begins. */
  yearPages: readonly { year: string; page: number }[]
  formats: Formats
  basePath: string
  /** The page that shows the log, and the query of its filter. */
  path: string
  query: string
}

const MOST_LAYOVER_MS = 24 * 3600 * 1000

/** The seconds between two flights that connect: the next leaves from where the last arrived, and does not lead back. */
function layoverOf(first: LogFlight, next: LogFlight): number | undefined {
  if (first.to.id !== next.from.id || next.to.id === first.from.id) return undefined
  if (first.datePrecision !== 'day' || next.datePrecision !== 'day') return undefined
  const { arrival } = instantsOf(first)
  const { departure } = instantsOf(next)
  if (!arrival || !departure) return undefined
  const between = Date.parse(departure) - Date.parse(arrival)
  return between >= 0 && between <= MOST_LAYOVER_MS ? between / 1000 : undefined
}

interface LinesProps extends Pick<Props, 'formats' | 'basePath'> {
  lines: readonly (LogFlight & { days?: number })[]
  /** Whether an earlier flight stands above a later one. */
  oldestFirst?: boolean
}

function Lines({ lines, oldestFirst = false, formats, basePath }: LinesProps) {
  return (
    <ol class="log">
      {lines.map((flight, index) => {
        const below = lines[index + 1]
        const [first, next] = oldestFirst ? [flight, below] : [below, flight]
        const layover = first && next && layoverOf(first, next)
        return (
          <FlightLine
            key={flight.id}
            flight={flight}
            formats={formats}
            basePath={basePath}
            left={flight.days === undefined || flight.datePrecision !== 'day' ? undefined : daysLeft(flight.days)}
          >
            {layover !== undefined && (
              <p class="layover">
                {formats.duration(layover)} in <span dir="auto">{first!.to.municipality ?? codeOf(first!.to)}</span>
              </p>
            )}
          </FlightLine>
        )
      })}
    </ol>
  )
}

function YearMenu({ log, yearPages, at }: Pick<Props, 'log' | 'yearPages'> & { at: (page: number) => string }) {
  if (log.pages === 1 || yearPages.length < 2) return null
  return (
    <details class="menu years">
      <summary class="chip">Jump to year</summary>
      <div class="card">
        {yearPages.map(({ year, page }) => (
          <a key={year} class="chip" href={`${at(page)}#year-${year}`}>
            {year}
          </a>
        ))}
      </div>
    </details>
  )
}

/** A log in pages: what is coming up, then year by year. */
export function FlightLog({ log, yearPages, formats, basePath, path, query }: Props) {
  const { comingUp, lines, years, page, pages } = log
  const at = (number: number) => basePath + addressOf(path, query, number === 1 ? {} : { page: String(number) })
  const shownYears = years.filter(({ year }) => lines.some(({ date }) => date.startsWith(year)))
  return (
    <>
      {comingUp.length > 0 && (
        <Section id="coming-up" title="Coming up">
          <Lines lines={comingUp} oldestFirst formats={formats} basePath={basePath} />
        </Section>
      )}
      {lines.length > 0 && (
        <section aria-labelledby="flights">
          <div class="lead">
            <h2 id="flights">
              {formats.flights(log.flown.length)}
              {page > 1 && <span class="quiet">, page {page}</span>}
            </h2>
            <YearMenu log={log} yearPages={yearPages} at={at} />
          </div>
          {shownYears.map(({ year, flights, distanceKm }) => (
            <section key={year} class="year" aria-labelledby={`year-${year}`}>
              <h3 id={`year-${year}`}>
                {year}{' '}
                <span class="quiet">
                  {formats.flights(flights)}
                  {distanceKm > 0 && `, ${formats.distance(distanceKm)}`}
                </span>
              </h3>
              <Lines lines={lines.filter(({ date }) => date.startsWith(year))} formats={formats} basePath={basePath} />
            </section>
          ))}
        </section>
      )}
      <PageNumbers page={page} pages={pages} at={(number) => `${at(number)}#flights`} things="the log" />
    </>
  )
}
