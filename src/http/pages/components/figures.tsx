import type { ComponentChildren } from 'preact'
import type { Formats } from '../framework/formats.ts'
import { useTexts } from '../framework/localization.ts'
import type { PageTexts } from '../texts/languages.ts'
import { Pairs } from './lists.tsx'
import { Section } from './section.tsx'

type Sums = Record<'flights' | 'distanceKm' | 'durationSeconds' | 'airports', number>

export const mainFigures = (
  sums: Sums,
  formats: Formats,
  { figures: t }: PageTexts,
  flights: string = t.flights,
): [string, string][] => [
  [flights, formats.count(sums.flights)],
  [t.distance, formats.distance(sums.distanceKm)],
  [t.timeInAir, formats.total(sums.durationSeconds)],
  [t.airports, formats.count(sums.airports)],
]

interface Props {
  title: string
  main: readonly [string, string][]
  most: readonly [string, ComponentChildren][]
}

export function Figures({ title, main, most }: Props) {
  const t = useTexts().figures
  return (
    <Section id="figures" title={title}>
      <Pairs class="figures" pairs={main} />
      {most.length > 0 && (
        <>
          <h3>{t.mostFlown}</h3>
          <Pairs class="facts wide" pairs={most} />
        </>
      )}
    </Section>
  )
}
