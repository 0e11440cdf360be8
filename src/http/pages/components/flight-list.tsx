import type { ComponentChildren } from 'preact'
import type { Flight } from '../../../domain/flights/contract.ts'
import type { LogFlight, LogPage } from '../../../domain/flights/query/user-log.ts'
import { type Airport, codeOf } from '../../../domain/reference/contract.ts'
import type { Formats } from '../framework/formats.ts'
import { useTexts } from '../framework/localization.ts'
import type { PageTexts } from '../texts/languages.ts'
import { Clock, daysLater, instantsOf } from './clocks.tsx'
import { addressOf } from './filter-bar/filter.ts'
import { type Place, RouteLabel } from './flight-parts.tsx'
import { PageNumbers } from './lists.tsx'
import { describeSeat } from './seat.ts'
import { Section } from './section.tsx'

export function daysLeft(days: number, { flightList: t }: PageTexts): string {
  if (days <= 0) return days === 0 ? t.today : t.underWay
  return days === 1 ? t.tomorrow : t.inDays({ count: days })
}

interface LineProps {
  from: Place
  to: Place
  distanceKm: number | null
  duration: number | null
  date?: string
  datePrecision?: Flight['datePrecision']
  formats: Formats
  what: ComponentChildren
  href?: string
  left?: string | undefined
  children?: ComponentChildren
}

export function LogLine({ from, to, distanceKm, duration, date, formats, what, href, left, ...line }: LineProps) {
  const { datePrecision = 'day' } = line
  const day = date !== undefined && formats.day(date, datePrecision)
  const route = <RouteLabel from={from} to={to} />
  return (
    <li>
      {date !== undefined && (
        <p class="when">
          <time dateTime={{ day: date, month: date.slice(0, 7), year: date.slice(0, 4) }[datePrecision]}>{day}</time>
          {left && <span class="left"> {left}</span>}
        </p>
      )}
      {href ? (
        <a class="route" href={href}>
          {route}
          <span class="unseen">, {day}</span>
        </a>
      ) : (
        <p class="route">{route}</p>
      )}
      <p class="much">
        {distanceKm !== null && <span>{formats.distance(distanceKm)} </span>}
        {duration !== null && <span class="quiet">{formats.duration(duration)}</span>}
      </p>
      {what && <p class="what quiet">{what}</p>}
      {line.children}
    </li>
  )
}

export const placeOf = (airport: Airport): Place => ({ ...airport, code: codeOf(airport) })

function Times({ flight, formats }: { flight: LogFlight; formats: Formats }) {
  const { departure, arrival } = instantsOf(flight)
  if (!departure) return null
  const later = daysLater(flight, formats)
  return (
    <span class="times">
      <Clock instant={departure} zone={flight.from.timezone} formats={formats} />
      {arrival && (
        <>
          {' – '}
          <Clock instant={arrival} zone={flight.to.timezone} formats={formats} />
        </>
      )}
      {later && <sup>{later}</sup>}
      {formats.shownIn === 'utc' && ' UTC'}
    </span>
  )
}

const MAX_LAYOVER_MS = 24 * 3600 * 1000

/** The seconds between two connecting flights; undefined for a return flight. */
function layoverOf(first: LogFlight, next: LogFlight): number | undefined {
  if (first.to.id !== next.from.id || next.to.id === first.from.id) return undefined
  if (first.datePrecision !== 'day' || next.datePrecision !== 'day') return undefined
  const { arrival } = instantsOf(first)
  const { departure } = instantsOf(next)
  if (!arrival || !departure) return undefined
  const between = Date.parse(departure) - Date.parse(arrival)
  return between >= 0 && between <= MAX_LAYOVER_MS ? between / 1000 : undefined
}

interface LogProps {
  log: LogPage
  yearPages: readonly { year: string; page: number }[]
  formats: Formats
  basePath: string
  path: string
  query: string
}

interface LinesProps extends Pick<LogProps, 'formats' | 'basePath'> {
  lines: readonly (LogFlight & { days?: number })[]
  oldestFirst?: boolean
}

function Lines({ lines, oldestFirst = false, formats, basePath }: LinesProps) {
  const texts = useTexts()
  return (
    <ol class="log">
      {lines.map((flight, index) => {
        const { id, days, datePrecision, airline, flightNumber, aircraft } = flight
        const below = lines[index + 1]
        const [first, next] = oldestFirst ? [flight, below] : [below, flight]
        const layover = first && next && layoverOf(first, next)
        const number = [flightNumber, airline?.name].filter(Boolean).join(' ')
        const facts = [number, aircraft?.name, describeSeat(flight, texts)].filter(Boolean)
        return (
          <LogLine
            key={id}
            {...flight}
            from={placeOf(flight.from)}
            to={placeOf(flight.to)}
            formats={formats}
            href={`${basePath}/flights/${id}`}
            left={days === undefined || datePrecision !== 'day' ? undefined : daysLeft(days, texts)}
            what={
              <>
                {datePrecision === 'day' && <Times flight={flight} formats={formats} />}
                {facts.map((fact) => (
                  <span key={fact} dir="auto">
                    {fact}
                  </span>
                ))}
              </>
            }
          >
            {layover !== undefined && (
              <p class="layover">
                {texts.flightList.layover({
                  duration: formats.duration(layover),
                  city: first!.to.municipality ?? codeOf(first!.to),
                  place: (text) => <span dir="auto">{text}</span>,
                })}
              </p>
            )}
          </LogLine>
        )
      })}
    </ol>
  )
}

function YearMenu({ log, yearPages, at }: Pick<LogProps, 'log' | 'yearPages'> & { at: (page: number) => string }) {
  const t = useTexts().flightList
  if (log.pages === 1 || yearPages.length < 2) return null
  return (
    <details class="menu years">
      <summary class="chip">{t.jumpToYear}</summary>
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

export function FlightLog({ log, yearPages, formats, basePath, path, query }: LogProps) {
  const t = useTexts().flightList
  const { comingUp, lines, years, page, pages } = log
  const at = (number: number) => basePath + addressOf(path, query, number === 1 ? {} : { page: String(number) })
  const linesByYear = Map.groupBy(lines, ({ date }) => date.slice(0, 4))
  return (
    <>
      {comingUp.length > 0 && (
        <Section id="coming-up" title={t.comingUp}>
          <Lines lines={comingUp} oldestFirst formats={formats} basePath={basePath} />
        </Section>
      )}
      {lines.length > 0 && (
        <section aria-labelledby="flights">
          <div class="lead">
            <h2 id="flights">
              {page > 1
                ? t.titleOfPage({
                    flights: formats.flights(log.flown.length),
                    page,
                    quiet: (text) => <span class="quiet">{text}</span>,
                  })
                : formats.flights(log.flown.length)}
            </h2>
            <YearMenu log={log} yearPages={yearPages} at={at} />
          </div>
          {years.map(({ year, flights, distanceKm }) => {
            const linesOfYear = linesByYear.get(year)
            if (!linesOfYear) return null
            return (
              <section key={year} class="year" aria-labelledby={`year-${year}`}>
                <h3 id={`year-${year}`}>
                  {year}{' '}
                  <span class="quiet">
                    {distanceKm > 0
                      ? t.year({ flights: formats.flights(flights), distance: formats.distance(distanceKm) })
                      : formats.flights(flights)}
                  </span>
                </h3>
                <Lines lines={linesOfYear} formats={formats} basePath={basePath} />
              </section>
            )
          })}
        </section>
      )}
      <PageNumbers page={page} pages={pages} at={(number) => `${at(number)}#flights`} label={t.pages} />
    </>
  )
}
