import type { ComponentChildren } from 'preact'
import { useTexts } from '../framework/localization.ts'

const unseen = (text: string) => <span class="unseen">{text}</span>

interface LinkProps {
  href?: string | undefined
  class?: string
  children: ComponentChildren
}

export function MaybeLink(props: LinkProps) {
  return props.href ? <a {...props} /> : <span {...props} />
}

/** Drawings use percentages instead of a viewBox, so that text keeps its size at every width. */
export const percent = (part: number) => `${Math.round(part * 10_000) / 100}%`

/** One part of a whole. */
export interface Part {
  label: string
  flights: number
  /** The log with only these flights. */
  href?: string | undefined
  /** A flag, badge or icon. */
  mark?: ComponentChildren
  /** The number of its colour in the palette; undefined for unknown values. */
  colour: number | undefined
}

export interface PartsProps {
  id: string
  title: string
  bars: readonly Part[]
}

const colourClass = ({ colour }: Part) => (colour ? `part colour-${colour}` : 'part unknown')

function useShares(bars: readonly Part[]) {
  const t = useTexts().statistics
  const sum = Math.max(
    1,
    bars.reduce((total, { flights }) => total + flights, 0),
  )
  let before = 0
  return bars.map((bar) => {
    const at = before
    const width = bar.flights / sum
    before += width
    const percentage = t.percent({ value: Math.round(width * 100) })
    return { bar, at, width, percentage, share: t.share({ label: bar.label, share: percentage }) }
  })
}

interface DrawingProps extends Pick<PartsProps, 'id' | 'title' | 'bars'> {
  class: string
  children: ComponentChildren
  viewBox?: string
  height?: number
}

/** A drawing of parts, described by their shares. */
export function PartsDrawing({ id, title, bars, children, ...svg }: DrawingProps) {
  const shares = useShares(bars)
  return (
    <svg {...svg} width="100%" role="img" aria-labelledby={`${id}-name`} aria-describedby={`${id}-words`}>
      <title id={`${id}-name`}>{title}</title>
      <desc id={`${id}-words`}>{shares.map(({ share }) => share).join(', ')}</desc>
      {children}
    </svg>
  )
}

export function Legend({ bars }: Pick<PartsProps, 'bars'>) {
  const t = useTexts().statistics
  return (
    <ol class="rows shares">
      {useShares(bars).map(({ bar, percentage }) => (
        <li key={bar.label}>
          <MaybeLink class="row" href={bar.href}>
            <svg class="swatch" width="12" height="12" aria-hidden="true">
              <rect class={colourClass(bar)} width="12" height="12" rx="3" />
            </svg>
            <span class="label">
              {bar.mark} {bar.label}
            </span>
            <span class="count">
              {t.flightsOfShare({
                percent: percentage,
                count: bar.flights,
                number: (text) => <span class="quiet">{text}</span>,
                unseen,
              })}
            </span>
          </MaybeLink>
        </li>
      ))}
    </ol>
  )
}

/** A stacked bar with its legend. */
export function Shares({ id, title, bars }: PartsProps) {
  return (
    <>
      <PartsDrawing class="whole" height={20} id={id} title={title} bars={bars}>
        {useShares(bars).map(({ bar, at, width, share }) => (
          <rect key={bar.label} class={colourClass(bar)} x={percent(at)} width={percent(width)} height="20">
            <title>{share}</title>
          </rect>
        ))}
      </PartsDrawing>
      <Legend bars={bars} />
    </>
  )
}
