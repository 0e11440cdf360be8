import type { ComponentChildren } from 'preact'
import type { Formats } from '../framework/formats.ts'
import { Pairs } from './lists.tsx'
import { Section } from './section.tsx'

type Sums = Record<'flights' | 'distanceKm' | 'durationSeconds' | 'airports', number>

export const mainFigures = (sums: Sums, formats: Formats, flights = 'Flights'): [string, string][] => [
  [flights, formats.count(sums.flights)],
  ['Distance', formats.distance(sums.distanceKm)],
  ['Time in the air', formats.total(sums.durationSeconds)],
  ['Airports', formats.count(sums.airports)],
]

interface Props {
  title: string
  main: readonly [string, string][]
  most: readonly [string, ComponentChildren][]
}

export const Figures = ({ title, main, most }: Props) => (
  <Section id="figures" title={title}>
    <Pairs class="figures" pairs={main} />
    {most.length > 0 && (
      <>
        <h3>Most flown</h3>
        <Pairs class="facts wide" pairs={most} />
      </>
    )}
  </Section>
)
