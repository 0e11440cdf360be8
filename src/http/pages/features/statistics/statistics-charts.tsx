import { codeOf } from '../../../../domain/reference/contract.ts'
import type { BreakdownGroup } from '../../../../domain/stats/contract.ts'
import { distanceClasses } from '../../../../domain/stats/overview.ts'
import type { StatsService } from '../../../../domain/stats/service.ts'
import { countryName } from '../../../../lib/english.ts'
import type { ShownFilter } from '../../components/filter-bar/read-filter.ts'
import { type Formats, MONTHS } from '../../framework/formats.ts'
import { type Bar, Chart } from './charts/chart.tsx'
import { Columns } from './charts/columns.tsx'
import { Line } from './charts/line.tsx'
import type { LogLinks } from './charts/links.ts'
import { Rows, Shares } from './charts/rows.tsx'

export type Overview = Awaited<ReturnType<StatsService['getOverview']>>

interface Props {
  overview: Overview
  formats: Formats
  links: LogLinks
  shown: ShownFilter
  weekStartsOnSunday: boolean
}

const WEEKDAYS = 'Mon Tue Wed Thu Fri Sat Sun'.split(' ')
const MOST_SHOWN = 10
/** More years than these are only shown where they have flights. */
const MOST_YEARS = 60

const empty = { flights: 0, distanceKm: 0, durationSeconds: 0, durationKnown: 0 }

/** One bar for every key, also where nothing was flown. */
export function filled<Key extends number>(
  groups: readonly BreakdownGroup[],
  keys: readonly Key[],
  labelOf: (key: Key) => string,
  href: (key: Key) => string | undefined,
): Bar[] {
  const known = new Map(groups.map((group) => [group.key, group]))
  return keys.map((key) => {
    const group = known.get(key)
    return { ...(group ?? empty), label: labelOf(key), href: group && href(key) }
  })
}

function yearsOf(groups: readonly BreakdownGroup[]): number[] {
  const years = groups.map(({ key }) => Number(key))
  const [first = 0, last = 0] = [years[0], years.at(-1)]
  if (last - first >= MOST_YEARS) return years.slice(-MOST_YEARS)
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

export function OverTime({ overview, formats, links, weekStartsOnSunday }: Omit<Props, 'shown'>) {
  const { by, byMonthOfYear, cumulative, cumulativeKmByYear } = overview
  const shownYears = yearsOf(by.year.groups)
  const years = filled(by.year.groups, shownYears, String, links.year)
  const months = filled(
    byMonthOfYear.groups,
    MONTHS.map((_, index) => index + 1),
    (key) => MONTHS[key - 1]!,
    links.month,
  )
  const order = weekStartsOnSunday ? [7, 1, 2, 3, 4, 5, 6] : [1, 2, 3, 4, 5, 6, 7]
  const weekdays = filled(
    by.weekday.groups,
    order,
    (key) => WEEKDAYS[key - 1]!,
    () => undefined,
  )
  const lessPrecise = (counted: number, what: string) => {
    const rest = overview.figures.flights - counted
    return rest > 0 ? `Without ${formats.count(rest)} whose ${what} is not known.` : undefined
  }
  let distanceKm = 0
  const grown = years.map((bar, index) => {
    distanceKm = cumulativeKmByYear.get(shownYears[index]!) ?? distanceKm
    return { ...bar, distanceKm }
  })
  return (
    <div class="charts">
      <Chart id="by-year" title="By year" unit="Year" bars={years} formats={formats} wide>
        <Columns id="by-year" title="By year" bars={years} formats={formats} withDistance wide />
      </Chart>
      {cumulative.length > 1 && (
        <Chart id="grown" title="Distance so far" unit="By the end of" bars={grown} formats={formats} wide>
          <Line id="grown" title="Distance so far" milestones={cumulative} formats={formats} />
        </Chart>
      )}
      <Chart
        id="by-month"
        title="By month"
        unit="Month"
        bars={months}
        formats={formats}
        note={lessPrecise(byMonthOfYear.total.flights, 'month')}
      >
        <Columns id="by-month" title="By month" bars={months} formats={formats} />
      </Chart>
      <Chart
        id="by-weekday"
        title="By day of the week"
        unit="Day"
        bars={weekdays}
        formats={formats}
        note={lessPrecise(by.weekday.total.flights, 'day')}
      >
        <Columns id="by-weekday" title="By day of the week" bars={weekdays} formats={formats} />
      </Chart>
    </div>
  )
}

type By = keyof Overview['by']
type Described = Pick<Bar, 'label' | 'more' | 'href'>

interface Tops {
  by: By
  title: string
  unit: string
  describe: (group: BreakdownGroup) => Described
  /** How many there are in all, where that is known. */
  count?: number
}

function topsOf({ figures }: Overview, links: LogLinks): Tops[] {
  return [
    {
      by: 'airport',
      title: 'Airports',
      unit: 'Airport',
      count: figures.airports,
      describe: ({ airport }) => ({
        label: codeOf(airport!),
        more: airport!.municipality ?? airport!.name,
        href: links.airport(airport!.id),
      }),
    },
    {
      by: 'connection',
      title: 'Routes, both directions',
      unit: 'Route',
      describe: ({ from, to }) => ({
        label: `${codeOf(from!)} – ${codeOf(to!)}`,
        more: `${from!.municipality ?? from!.name} – ${to!.municipality ?? to!.name}`,
        href: links.connection(from!.id, to!.id),
      }),
    },
    {
      by: 'airline',
      title: 'Airlines',
      unit: 'Airline',
      count: figures.airlines,
      describe: ({ key, airline }) => ({ label: airline!.name, href: links.airline(key) }),
    },
    {
      by: 'country',
      title: 'Countries',
      unit: 'Country',
      count: figures.countries,
      describe: ({ key }) => ({ label: countryName(String(key)) ?? String(key), href: links.country(String(key)) }),
    },
    {
      by: 'aircraft',
      title: 'Aircraft types',
      unit: 'Type',
      describe: ({ key, aircraft }) => ({ label: aircraft!.name, href: links.aircraft(key) }),
    },
    {
      by: 'aircraftReg',
      title: 'Registrations',
      unit: 'Registration',
      describe: ({ key }) => ({ label: String(key), href: links.registration(key) }),
    },
    {
      by: 'companion',
      title: 'Together with',
      unit: 'Person',
      describe: ({ key, name }) => ({ label: name!, href: links.companion(key) }),
    },
  ]
}

export function MostOften({ overview, formats, links }: Pick<Props, 'overview' | 'formats' | 'links'>) {
  return (
    <div class="charts">
      {topsOf(overview, links).map(({ by, title, unit, describe, count = 0 }) => {
        const named = overview.by[by].groups.filter(({ key }) => key !== null)
        const without = overview.by[by].groups.find(({ key }) => key === null)?.flights ?? 0
        // Hardly anybody meets an aircraft twice, and a list of single flights tells nothing.
        const telling = by === 'aircraftReg' ? named.filter(({ flights }) => flights > 1) : named
        const bars = telling.slice(0, MOST_SHOWN).map((group) => ({ ...group, ...describe(group) }))
        if (bars.length === 0) return null
        const notes = [
          count > MOST_SHOWN && `The first ${MOST_SHOWN} of ${formats.count(count)}.`,
          without > 0 && `Not known of ${formats.count(without)}.`,
        ]
        return (
          <Chart
            key={by}
            id={`by-${by}`}
            title={title}
            unit={unit}
            bars={bars}
            formats={formats}
            note={notes.filter(Boolean).join(' ') || undefined}
          >
            <Rows bars={bars} formats={formats} />
          </Chart>
        )
      })}
    </div>
  )
}

/** What is not known comes last, however much it is. */
function sharesOf(groups: readonly BreakdownGroup[], describe: (group: BreakdownGroup) => Described): Bar[] {
  const inOrder = [...groups.filter(({ key }) => key !== null), ...groups.filter(({ key }) => key === null)]
  return inOrder.map((group) => ({ ...group, ...describe(group) }))
}

export function HowFlown({ overview, formats, links, shown }: Omit<Props, 'weekStartsOnSunday'>) {
  const kinds = [
    ['seatClass', 'Class', links.seatClass],
    ['seat', 'Seat', links.seat],
    ['flightReason', 'Reason', links.flightReason],
  ] as const
  const charts = kinds.map(([by, title, href]) => ({
    id: `by-${by}`,
    title,
    bars: sharesOf(overview.by[by].groups, ({ key }) => ({
      label: shown.choices[by]?.find(({ value }) => value === (key ?? 'none'))?.label ?? String(key),
      href: href(key),
    })),
    isKnown: overview.by[by].groups.some(({ key }) => key !== null),
  }))
  const classOf = ({ key }: BreakdownGroup) => {
    const { from, below } = distanceClasses[Number(key)]!
    if (below === Number.POSITIVE_INFINITY) return `${formats.distance(from)} and more`
    return from === 0
      ? `Less than ${formats.distance(below)}`
      : `${formats.distance(from)} to ${formats.distance(below)}`
  }
  const distances = sharesOf(overview.byDistance.groups, (group) => ({ label: classOf(group) }))
  const all = [...charts, { id: 'by-distance', title: 'Distance', bars: distances, isKnown: distances.length > 0 }]
  return (
    <div class="charts">
      {all
        .filter(({ isKnown }) => isKnown)
        .map(({ id, title, bars }) => (
          <Chart key={id} id={id} title={title} unit={title} bars={bars} formats={formats}>
            <Shares id={id} title={title} bars={bars} formats={formats} />
          </Chart>
        ))}
    </div>
  )
}
