import type { ComponentChildren } from 'preact'
import type { LogSort } from '../../../domain/flights/query/log-sort.ts'
import type { LogFlight, LogLine, LogPage, TripSummary } from '../../../domain/flights/query/user-log.ts'
import { type Airport, codeOf } from '../../../domain/reference/contract.ts'
import type { Frame } from '../framework/context.ts'
import type { Formats } from '../framework/formats.ts'
import { useTexts } from '../framework/localization.ts'
import { BULK_FORM, type BulkActions, BulkForm } from './bulk-form.tsx'
import { Clock, daysLater, instantsOf } from './clocks.tsx'
import { addressOf } from './filter-bar/filter.ts'
import { daysLeft, FlightDate } from './flight-list.tsx'
import { PageNumbers } from './lists.tsx'
import { nextSort, sortParameters } from './log-address.ts'
import { AirlineBadge, classIcon, Flag, Icon, type IconName, reasonIcon, seatIcon } from './marks.tsx'
import { describeSeat } from './seat.ts'
import { datesOf } from './trip-dates.ts'

interface LogProps extends Pick<Frame, 'formats' | 'basePath' | 'viewer'> {
  log: LogPage
  /** Leaves out the headings of trips. */
  inTrip?: boolean
  path: string
  query: string
  /** The sort without parameters, if it is not the usual one. */
  unsorted?: LogSort
  bulk: BulkActions
}

type LineProps = Pick<LogProps, 'formats' | 'basePath'> & { flight: LogLine; selectable: boolean }
type FlightProps = Pick<LineProps, 'flight' | 'formats'>

function Times({ flight, formats }: FlightProps) {
  const { departure, arrival } = instantsOf(flight)
  if (!departure || flight.datePrecision !== 'day') return null
  const later = daysLater(flight, formats)
  return (
    <span class="quiet">
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

/** Hidden until flights are selected. */
function Picker({ flight: { id, from, to, date, datePrecision }, formats }: FlightProps) {
  const t = useTexts().flightList.bulk
  const names = { from: codeOf(from), to: codeOf(to), date: formats.day(date, datePrecision) }
  return (
    <label class="picker">
      <input type="checkbox" form={BULK_FORM} name="flight" value={id} autocomplete="off" />
      <span class="unseen">{t.selectFlight(names)}</span>
    </label>
  )
}

function When({ flight, formats, selectable }: FlightProps & Pick<LineProps, 'selectable'>) {
  const texts = useTexts()
  const { date, datePrecision, days } = flight
  return (
    <td class="when">
      {selectable && <Picker flight={flight} formats={formats} />}
      <FlightDate date={date} precision={datePrecision} formats={formats} />
      {days !== undefined && datePrecision === 'day' && <span class="left"> {daysLeft(days, texts)}</span>}
    </td>
  )
}

const End = ({ airport, basePath }: { airport: Airport; basePath: string }) => (
  <span class="end">
    <strong>
      <Flag country={airport.country} basePath={basePath} /> {codeOf(airport)}
    </strong>{' '}
    <span class="quiet" dir="auto">
      {airport.municipality ?? airport.name}
    </span>
  </span>
)

function Route({ flight, formats, basePath }: Omit<LineProps, 'selectable'>) {
  const { id, from, to, date, datePrecision } = flight
  return (
    <a class="route" href={`${basePath}/flights/${id}`}>
      <End airport={from} basePath={basePath} />
      <span class="leg">
        <span class="unseen">{useTexts().flightList.fromTo}</span>
      </span>
      <End airport={to} basePath={basePath} />
      <span class="unseen">, {formats.day(date, datePrecision)}</span>
    </a>
  )
}

/** Icons with their meaning as a tooltip, and as text for screen readers. */
function Marks({ flight }: Pick<LineProps, 'flight'>) {
  const texts = useTexts()
  const t = texts.seats
  const { seat, seatNumber, seatClass, flightReason } = flight
  const marks: [IconName | undefined, string][] = []
  if (seat || seatNumber) marks.push([seat ? seatIcon(seat) : undefined, describeSeat(flight, texts)])
  if (seatClass) marks.push([classIcon(seatClass), t.seatClass({ seatClass: t.classes[seatClass] })])
  if (flightReason) marks.push([reasonIcon(flightReason), t.reason({ reason: t.reasons[flightReason] })])
  if (marks.length === 0) return null
  return (
    <span class="marks quiet">
      {seatNumber && (
        <span aria-hidden="true" dir="auto">
          {seatNumber}
        </span>
      )}
      {marks.map(([icon, label]) => (
        <span key={label} title={label}>
          {icon && <Icon name={icon} size={16} />}
          <span class="unseen"> {label}</span>
        </span>
      ))}
    </span>
  )
}

const Fact = ({ children }: { children: string }) => (
  <span class="fact" dir="auto">
    {children}
  </span>
)

function Layover({ first, next, formats }: { first: LogFlight; next: LogFlight; formats: Formats }) {
  const t = useTexts().flightList
  const seconds = layoverOf(first, next)
  if (seconds === undefined) return null
  return (
    <p class="layover">
      {t.layover({
        duration: formats.duration(seconds),
        city: next.from.municipality ?? codeOf(next.from),
        place: (text) => <span dir="auto">{text}</span>,
      })}
    </p>
  )
}

function Line({ flight, formats, basePath, selectable, children }: LineProps & { children?: ComponentChildren }) {
  const { airline, flightNumber, aircraft, distanceKm, duration } = flight
  return (
    <tr>
      <When flight={flight} formats={formats} selectable={selectable} />
      <th scope="row">
        <Route flight={flight} formats={formats} basePath={basePath} />
        {children}
      </th>
      <td class="carrier">
        <AirlineBadge airline={airline} /> {flightNumber && <Fact>{flightNumber}</Fact>}{' '}
        {airline && (
          <span class="quiet fact" dir="auto">
            {airline.name}
          </span>
        )}
      </td>
      <td class="aircraft">
        {aircraft && <Fact>{aircraft.name}</Fact>} <Marks flight={flight} />
      </td>
      <td class="number">{distanceKm !== null && formats.distance(distanceKm)}</td>
      <td class="number">
        {duration !== null && formats.duration(duration)} <Times flight={flight} formats={formats} />
      </td>
    </tr>
  )
}

interface Group {
  id: string
  title?: string
  about?: string
  lines: readonly LogLine[]
}

/** Flights that follow each other in the log and are in the same trip, or in none. */
interface Run {
  trip: TripSummary | null
  lines: LogLine[]
}

function runsOf(lines: readonly LogLine[], isGrouped: boolean): Run[] {
  const runs: Run[] = []
  for (const line of lines) {
    const trip = isGrouped ? line.trip : null
    const last = runs.at(-1)
    if (last && last.trip?.id === trip?.id) last.lines.push(line)
    else runs.push({ trip, lines: [line] })
  }
  return runs
}

/** Planned flights and years, in the order of the flights; a log that is sorted by another column is one group. */
function useGroups({ log: { sort, lines, years }, formats }: LogProps): Group[] {
  const t = useTexts().flightList
  if (sort.by !== 'date') return [{ id: 'sorted', lines }]
  const groups = Map.groupBy(lines, ({ days, date }) => (days === undefined ? date.slice(0, 4) : ''))
  return [...groups].map(([year, some]) => {
    if (year === '') return { id: 'coming-up', title: t.comingUp, lines: some }
    const { flights, distanceKm } = years.find((each) => each.year === year)!
    const count = formats.flights(flights)
    const about = distanceKm > 0 ? t.year({ flights: count, distance: formats.distance(distanceKm) }) : count
    return { id: `year-${year}`, title: year, about, lines: some }
  })
}

type ColumnsProps = { sort: LogSort; at: (sort: LogSort) => string }

function ColumnHeadings({ sort, at }: ColumnsProps) {
  const t = useTexts().flightList
  const heading = (by: LogSort['by'], isNumber = false) => {
    const isSorted = sort.by === by
    return (
      <th
        key={by}
        scope="col"
        class={isNumber ? 'number' : undefined}
        aria-sort={isSorted ? (sort.order === 'asc' ? 'ascending' : 'descending') : undefined}
      >
        <a href={at(nextSort(sort, by))} rel="nofollow">
          {t.columns[by]}
        </a>
      </th>
    )
  }
  return (
    <tr>
      {heading('date')}
      {heading('route')}
      {heading('airline')}
      {heading('aircraft')}
      {heading('distance', true)}
      {heading('duration', true)}
    </tr>
  )
}

const COLUMNS = 6

function GroupHeading({ title, about, id }: Pick<Group, 'title' | 'about' | 'id'>) {
  return (
    <tr class="group">
      <th id={id} colSpan={COLUMNS} scope="rowgroup">
        <h3>
          {title} {about && <span class="quiet">{about}</span>}
        </h3>
      </th>
    </tr>
  )
}

function TripHeading({ trip, formats, basePath }: Pick<LogProps, 'formats' | 'basePath'> & { trip: TripSummary }) {
  const texts = useTexts()
  const { id, name, flights } = trip
  return (
    <tr class="group trip-name">
      <th colSpan={COLUMNS} scope="rowgroup">
        <h4>
          <a href={`${basePath}/trips/${id}`} dir="auto">
            {name}
          </a>{' '}
          <span class="quiet">
            {texts.flightList.trip({ dates: datesOf(trip, formats, texts.trips), flights: formats.flights(flights) })}
          </span>
        </h4>
      </th>
    </tr>
  )
}

function Table(props: LogProps & Pick<ColumnsProps, 'at'> & Pick<LineProps, 'selectable'>) {
  const { log, formats, basePath, selectable, at } = props
  const t = useTexts().flightList
  const groups = useGroups(props)
  const isGrouped = log.sort.by === 'date' && !props.inTrip
  /** Between a flight and the one below it. */
  function layoverBelow(flight: LogLine, below: LogLine | undefined) {
    if (!below || log.sort.by !== 'date') return null
    const isOldestFirst = flight.days !== undefined || log.sort.order === 'asc'
    const [first, next] = isOldestFirst ? [flight, below] : [below, flight]
    return <Layover first={first} next={next} formats={formats} />
  }
  return (
    <table class="flights">
      <caption class="unseen">{t.caption}</caption>
      <thead>
        <ColumnHeadings sort={log.sort} at={at} />
      </thead>
      {groups.map(({ lines, ...heading }) => {
        const runs = runsOf(lines, isGrouped)
        return runs.map(({ trip, lines }, run) => (
          <tbody key={lines[0]!.id} class={trip ? 'in-trip' : undefined}>
            {run === 0 && heading.title && <GroupHeading {...heading} />}
            {trip && <TripHeading trip={trip} formats={formats} basePath={basePath} />}
            {lines.map((flight, index) => (
              <Line key={flight.id} {...{ flight, formats, basePath, selectable }}>
                {layoverBelow(flight, lines[index + 1] ?? runs[run + 1]?.lines[0])}
              </Line>
            ))}
          </tbody>
        ))
      })}
    </table>
  )
}

function YearMenu({ log, at }: Pick<LogProps, 'log'> & { at: (page: number) => string }) {
  const t = useTexts().flightList
  const { pages, yearPages } = log
  if (pages === 1 || yearPages.length < 2) return null
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

/** One page of a log: a table by year, or sorted by a column. On phones each flight is a card. */
export function FlightLog(props: LogProps) {
  const { log, formats, basePath, viewer, path, query, unsorted, bulk } = props
  const { page, pages, sort } = log
  const t = useTexts().flightList
  const address = (sort: LogSort, number = 1) =>
    basePath +
    addressOf(path, query, { ...sortParameters(sort, unsorted), ...(number > 1 && { page: String(number) }) })
  const at = (number: number) => address(sort, number)
  const flights = formats.flights(log.planned.length + log.flown.length)
  const selectable = bulk.trips !== undefined || bulk.change || bulk.delete
  return (
    <section class="flight-log" aria-labelledby="flights">
      <div class="lead">
        <h2 id="flights">
          {page > 1 ? t.titleOfPage({ flights, page, quiet: (text) => <span class="quiet">{text}</span> }) : flights}
        </h2>
        <YearMenu log={log} at={at} />
      </div>
      {selectable && <BulkForm {...{ basePath, viewer }} actions={bulk} />}
      <Table {...props} selectable={selectable} at={(sort) => `${address(sort)}#flights`} />
      <PageNumbers page={page} pages={pages} at={(number) => `${at(number)}#flights`} label={t.pages} />
    </section>
  )
}
