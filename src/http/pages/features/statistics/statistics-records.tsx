import type { ComponentChildren } from 'preact'
import type { Flight } from '../../../../domain/flights/contract.ts'
import type { Airport } from '../../../../domain/reference/contract.ts'
import { codeOf } from '../../../../domain/reference/contract.ts'
import type { StatsRecords } from '../../../../domain/stats/contract.ts'
import { Pairs } from '../../components/lists.tsx'
import { Section } from '../../components/section.tsx'
import type { Frame } from '../../framework/context.ts'
import { MaybeLink } from './charts/chart.tsx'
import type { LogLinks } from './charts/links.ts'

type FlightRecord = {
  [Name in keyof StatsRecords]: StatsRecords[Name] extends Flight | null ? Name : never
}[keyof StatsRecords]

const flightRecords: readonly [FlightRecord, string][] = [
  ['longestDistance', 'Farthest'],
  ['shortestDistance', 'Nearest'],
  ['longestDuration', 'Longest'],
  ['shortestDuration', 'Shortest'],
  ['first', 'First'],
  ['latest', 'Latest'],
]

const placeRecords = [
  ['northernmost', 'Northernmost'],
  ['southernmost', 'Southernmost'],
  ['easternmost', 'Easternmost'],
  ['westernmost', 'Westernmost'],
] as const

/** One flight in a line that leads to it. */
export function FlightLink({ flight, basePath, formats }: { flight: Flight } & Pick<Frame, 'basePath' | 'formats'>) {
  const { id, from, to, date, datePrecision, duration } = flight
  const facts = [formats.distanceOf(flight), duration === null ? undefined : formats.duration(duration)]
  return (
    <>
      <a href={`${basePath}/flights/${id}`}>
        {codeOf(from)} → {codeOf(to)}
      </a>{' '}
      <span class="quiet">
        {facts.flatMap((fact) => (fact === undefined ? [] : `${fact}, `))}
        <time>{formats.day(date, datePrecision)}</time>
      </span>
    </>
  )
}

interface Props extends Pick<Frame, 'basePath' | 'formats'> {
  records: StatsRecords
  links: LogLinks
}

/** What stands out, each with its flights. */
export function Records({ records, links, basePath, formats }: Props) {
  const { busiestDay, busiestMonth, toTheMoon } = records
  const place = (airport: Airport) => (
    <>
      <MaybeLink href={links.airport(airport.id)}>{codeOf(airport)}</MaybeLink>{' '}
      <span class="quiet" dir="auto">
        {airport.municipality ?? airport.name}
      </span>
    </>
  )
  const busy = (href: string, day: string, flights: number) => (
    <>
      <a href={href}>{day}</a> <span class="quiet">{formats.count(flights)} flights</span>
    </>
  )
  const pairs: [string, ComponentChildren][] = [
    ...flightRecords.flatMap(([name, label]): [string, ComponentChildren][] => {
      const flight = records[name]
      return flight ? [[label, <FlightLink flight={flight} basePath={basePath} formats={formats} />]] : []
    }),
    ...placeRecords.flatMap(([name, label]): [string, ComponentChildren][] => {
      const airport = records[name]
      return airport ? [[label, place(airport)]] : []
    }),
  ]
  if (busiestDay && busiestDay.flights > 1)
    pairs.push(['Busiest day', busy(links.day(busiestDay.date), formats.day(busiestDay.date), busiestDay.flights)])
  if (busiestMonth && busiestMonth.flights > 1) {
    const { month, flights } = busiestMonth
    pairs.push(['Busiest month', busy(links.monthOf(month), formats.day(`${month}-01`, 'month'), flights)])
  }
  if (toTheMoon >= 0.01) pairs.push(['To the moon', `${Math.round(toTheMoon * 100)} % of the way`])
  return (
    <Section id="records" title="Records">
      <Pairs class="facts wide records" pairs={pairs} />
    </Section>
  )
}
