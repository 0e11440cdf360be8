import type { Flight } from '../../../domain/flights/contract.ts'
import { codeOf } from '../../../domain/reference/contract.ts'
import type { Delays, Punctuality } from '../../../domain/stats/contract.ts'
import type { Formats } from '../framework/formats.ts'
import { useTexts } from '../framework/localization.ts'
import type { PageTexts } from '../texts/languages.ts'
import { Pairs } from './lists.tsx'
import { type Part, Shares } from './shares.tsx'

type Texts = PageTexts['punctuality']
export type Movement = 'departure' | 'arrival'

/** Such as “12 min late”. */
export function delayText(seconds: number, formats: Formats, t: Texts): string {
  const time = formats.duration(Math.abs(seconds))
  if (Math.abs(seconds) < 60) return t.noDelay
  return seconds < 0 ? t.delayEarly({ time }) : t.delayLate({ time })
}

/** Flights that are both early and on time count as early. */
const delayParts = ({ early, onTime, late }: Delays, t: Texts): Part[] => [
  { label: t.early, flights: early, colour: 3 },
  { label: t.onTime, flights: onTime - early, colour: 1 },
  { label: t.late, flights: late, colour: 2 },
]

const delayOf = (flight: Flight, movement: Movement) =>
  (Date.parse(flight[movement]!) - Date.parse(flight[`${movement}Scheduled`]!)) / 1000

interface Props {
  punctuality: Punctuality
  movement: Movement
  formats: Formats
  basePath: string
}

/** The delays of departures or arrivals: their median, a bar of early, on-time and late flights, and the worst flight. */
export function DelayFigures({ punctuality, movement, formats, basePath }: Props) {
  const t = useTexts().punctuality
  const delays = punctuality[movement]
  const { known, medianSeconds, averageSeconds, worst } = delays
  if (medianSeconds === null || averageSeconds === null || worst === null) return null
  return (
    <>
      <Pairs
        class="headline"
        pairs={[
          [t.median, delayText(medianSeconds, formats, t)],
          [t.average, delayText(averageSeconds, formats, t)],
        ]}
      />
      <Shares id={`delays-${movement}`} title={t[movement]} bars={delayParts(delays, t)} />
      <p class="hint">
        {t.largestDelay({
          from: codeOf(worst.from),
          to: codeOf(worst.to),
          day: formats.day(worst.date),
          delay: delayText(delayOf(worst, movement), formats, t),
          link: (text) => <a href={`${basePath}/flights/${worst.id}`}>{text}</a>,
        })}{' '}
        {t.basedOn({ count: known })}
      </p>
    </>
  )
}
