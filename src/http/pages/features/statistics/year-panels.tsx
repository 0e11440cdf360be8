import type { ComponentChildren } from 'preact'
import type { Flight } from '../../../../domain/flights/contract.ts'
import { type Airport, codeOf } from '../../../../domain/reference/contract.ts'
import type { Breakdown, Punctuality } from '../../../../domain/stats/contract.ts'
import type { StatsService } from '../../../../domain/stats/service.ts'
import { DelayFigures } from '../../components/delays.tsx'
import { Pairs } from '../../components/lists.tsx'
import { Flag } from '../../components/marks.tsx'
import { MaybeLink } from '../../components/shares.tsx'
import type { Frame } from '../../framework/context.ts'
import type { Formats } from '../../framework/formats.ts'
import { useTexts } from '../../framework/localization.ts'
import { Chart, Rows } from './charts/chart.tsx'
import { Columns } from './charts/columns.tsx'
import type { LogLinks } from './charts/links.ts'
import { aroundEarth, FlightLink } from './statistics.tsx'
import { monthBars } from './statistics-charts.tsx'

export type YearReview = Awaited<ReturnType<StatsService['getYear']>>

export interface PanelsProps extends Frame {
  year: string
  review: YearReview
  companions: Breakdown['groups']
  punctuality: Punctuality
  links: LogLinks
}

interface PanelProps {
  id: string
  /** The number of its colour in the palette. */
  colour: number
  title: string
  /** In large type. */
  figure?: ComponentChildren
  note?: ComponentChildren
  children?: ComponentChildren
}

/** As wide as the window: one message in large type, and its details beside it. */
export const Panel = ({ id, colour, title, figure, note, children }: PanelProps) => (
  <section class={`panel colour-${colour}`} aria-labelledby={id}>
    <div>
      <h2 id={id} class="eyebrow">
        {title}
      </h2>
      {figure !== undefined && (
        <p class="poster" dir="auto">
          {figure}
        </p>
      )}
      {note}
    </div>
    {children && <div>{children}</div>}
  </section>
)

type FigureName = 'flights' | 'distanceKm' | 'durationSeconds' | 'airports' | 'countries'

/** The change of a figure since the year before. */
function changeOf({ figures, before }: YearReview, name: FigureName, formats: Formats) {
  if (before.flights === 0) return undefined
  const change = figures[name] - before[name]
  const isAmount = name === 'distanceKm' || name === 'durationSeconds'
  const format = { distanceKm: formats.distance, durationSeconds: formats.duration, count: formats.count }
  return {
    kind: change === 0 ? 'same' : change > 0 ? 'more' : isAmount ? 'less' : 'fewer',
    difference: format[isAmount ? name : 'count'](Math.abs(change)),
  } as const
}

function Change({ review, name, formats }: { review: YearReview; name: FigureName; formats: Formats }) {
  const t = useTexts().year
  const change = changeOf(review, name, formats)
  if (!change) return null
  const text = t.changes[change.kind]
  return <span class="beside">{typeof text === 'string' ? text : text(change)}</span>
}

export function DistancePanel({ year, review, formats }: PanelsProps) {
  const texts = useTexts()
  const t = texts.year
  const { figures } = review
  const yearBefore = String(Number(year) - 1).padStart(4, '0')
  const around = aroundEarth(figures.distanceKm, texts)
  const change = changeOf(review, 'distanceKm', formats)
  const tally = (
    [
      [texts.figures.flights, 'flights', formats.count(figures.flights)],
      [texts.figures.timeInAir, 'durationSeconds', formats.total(figures.durationSeconds)],
      [texts.figures.airports, 'airports', formats.count(figures.airports)],
      [t.countries, 'countries', formats.count(figures.countries)],
    ] as const
  ).map(([label, name, value]): [string, ComponentChildren] => [
    label,
    <>
      {value} <Change review={review} name={name} formats={formats} />
    </>,
  ])
  return (
    <Panel
      id="distance"
      colour={1}
      title={texts.figures.distance}
      figure={formats.distance(figures.distanceKm)}
      note={
        <>
          {around && <p>{around}</p>}
          {change && <p class="quiet">{t.comparedWith[change.kind]({ ...change, year: yearBefore })}</p>}
        </>
      }
    >
      <Pairs class="tally" pairs={tally} />
    </Panel>
  )
}

const MAX_FIRSTS = 12

interface FirstsProps {
  title: string
  firsts: readonly { label: string; detail?: string; country?: string; href: string | undefined }[]
  basePath: string
}

function Firsts({ title, firsts, basePath }: FirstsProps) {
  const t = useTexts().year
  if (firsts.length === 0) return null
  const rest = firsts.length - MAX_FIRSTS
  return (
    <>
      <h3>{title}</h3>
      <ul class="firsts">
        {firsts.slice(0, MAX_FIRSTS).map(({ label, detail, country, href }, index) => (
          <li key={index}>
            {country && <Flag country={country} basePath={basePath} />} <MaybeLink href={href}>{label}</MaybeLink>{' '}
            {detail && (
              <span class="quiet" dir="auto">
                {detail}
              </span>
            )}
          </li>
        ))}
        {rest > 0 && <li class="quiet">{t.andMore({ count: rest })}</li>}
      </ul>
    </>
  )
}

const cityOf = ({ municipality, name }: Airport) => municipality ?? name

export function FirstsPanel({ review: { firsts }, links, basePath, formats }: PanelsProps) {
  const { year: t, names } = useTexts()
  const { airports, countries, aircraft } = firsts
  if (airports.length + aircraft.length === 0) {
    return <Panel id="firsts" colour={3} title={t.firsts} note={<p>{t.nothingNew}</p>} />
  }
  const [figure, note] =
    countries.length > 0
      ? [countries.length, t.newCountries({ count: countries.length })]
      : airports.length > 0
        ? [airports.length, t.newAirports({ count: airports.length })]
        : [aircraft.length, t.newAircraft({ count: aircraft.length })]
  return (
    <Panel id="firsts" colour={3} title={t.firsts} figure={formats.count(figure)} note={<p>{note}</p>}>
      <Firsts
        title={t.countries}
        basePath={basePath}
        firsts={countries.map((country) => ({
          label: names.country(country),
          country,
          href: links.country(country),
        }))}
      />
      <Firsts
        title={t.airports}
        basePath={basePath}
        firsts={airports.map((airport) => ({
          label: codeOf(airport),
          detail: cityOf(airport),
          country: airport.country,
          href: links.airport(airport.id),
        }))}
      />
      <Firsts
        title={t.aircraft}
        basePath={basePath}
        firsts={aircraft.map(({ id, name }) => ({ label: name, href: links.aircraft(id) }))}
      />
    </Panel>
  )
}

/** An arc between two airports. */
const Arc = ({ from, to, basePath }: Pick<Flight, 'from' | 'to'> & { basePath: string }) => (
  <div class="arc">
    <svg viewBox="0 0 400 92" aria-hidden="true">
      <path d="M12 84Q200-64 388 84" />
      <path class="end" d="M12 84h0M388 84h0" />
    </svg>
    {[from, to].map((airport, index) => (
      <span key={index}>
        <strong>{codeOf(airport)}</strong>{' '}
        <span dir="auto">
          <Flag country={airport.country} basePath={basePath} /> {cityOf(airport)}
        </span>
      </span>
    ))}
  </div>
)

const otherRecords = ['longestDuration', 'first', 'latest'] as const

export function LongestPanel({ review: { records }, basePath, formats }: PanelsProps) {
  const t = useTexts().year
  const longest = records.longestDistance
  if (!longest) return null
  const others = otherRecords.flatMap((name): [string, ComponentChildren][] => {
    const flight = records[name]
    if (!flight || (name === 'longestDuration' && flight.id === longest.id)) return []
    return [[t.recordNames[name], <FlightLink key={name} {...{ flight, basePath, formats }} />]]
  })
  return (
    <Panel
      id="longest"
      colour={2}
      title={t.longest}
      figure={formats.distanceOf(longest)}
      note={
        <p>
          <a class="standalone" href={`${basePath}/flights/${longest.id}`}>
            {codeOf(longest.from)} → {codeOf(longest.to)}
          </a>{' '}
          <span class="quiet">
            {longest.duration !== null && `${formats.duration(longest.duration)}, `}
            <time>{formats.day(longest.date, longest.datePrecision)}</time>
          </span>
        </p>
      }
    >
      <Arc from={longest.from} to={longest.to} basePath={basePath} />
      <Pairs class="facts records" pairs={others} />
    </Panel>
  )
}

export function BusiestPanel({ review: { byMonth, records }, links, formats }: PanelsProps) {
  const t = useTexts().year
  const { busiestMonth } = records
  if (!busiestMonth) return null
  const months = { id: 'by-month', title: t.byMonth, bars: monthBars(byMonth.groups, formats, links.month), formats }
  return (
    <Panel
      id="busiest"
      colour={5}
      title={t.busiest}
      figure={formats.monthNames[Number(busiestMonth.month.slice(5)) - 1]}
      note={<p>{formats.flights(busiestMonth.flights)}</p>}
    >
      <Chart {...months} unit={t.month}>
        <Columns {...months} />
      </Chart>
    </Panel>
  )
}

export function CompanionsPanel({ companions, links }: PanelsProps) {
  const t = useTexts().year
  const [first] = companions
  if (!first) return null
  const bars = companions.map(({ key, name = '', ...sums }) => ({ label: name, href: links.companion(key), ...sums }))
  return (
    <Panel
      id="companions"
      colour={4}
      title={t.companions}
      figure={first.name}
      note={<p>{t.together({ count: first.flights })}</p>}
    >
      {bars.length > 1 && <Rows bars={bars} colour={4} />}
    </Panel>
  )
}

export function PunctualityPanel({ punctuality, formats, basePath }: PanelsProps) {
  const texts = useTexts()
  const movement = (['arrival', 'departure'] as const).find((name) => punctuality[name].known > 0)
  if (!movement) return null
  const { known, onTime } = punctuality[movement]
  return (
    <Panel
      id="punctuality"
      colour={6}
      title={texts.punctuality.title}
      figure={texts.statistics.percent({ value: Math.round((100 * onTime) / known) })}
      note={<p>{texts.year.onTime[movement]}</p>}
    >
      <DelayFigures {...{ punctuality, movement, formats, basePath }} />
    </Panel>
  )
}
