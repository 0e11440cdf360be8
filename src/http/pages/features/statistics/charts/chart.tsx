import type { ComponentChildren } from 'preact'
import { DataTable } from '../../../components/lists.tsx'
import type { Formats } from '../../../framework/formats.ts'

/** One group of flights in a chart. */
export interface Bar {
  label: string
  /** Beside the label, where there is room. */
  more?: string | undefined
  flights: number
  distanceKm: number
  durationSeconds: number
  durationKnown: number
  /** The log with these flights alone; absent where no filter can say it. */
  href?: string | undefined
}

interface Props {
  id: string
  title: string
  /** What a bar stands for: the head of the first column. */
  unit: string
  bars: readonly Bar[]
  formats: Formats
  /** What is left out of the drawing, in a sentence. */
  note?: string | undefined
  /** Takes the whole width of the page. */
  wide?: boolean
  children: ComponentChildren
}

/** A drawing with its heading, and the same in figures behind it. */
export function Chart({ id, title, unit, bars, formats, note, wide = false, children }: Props) {
  return (
    <section class={wide ? 'chart card wide' : 'chart card'} aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
      {note && <p class="hint">{note}</p>}
      <details class="in-words">
        <summary class="fold">
          In figures<span class="unseen">: {title}</span>
        </summary>
        <DataTable
          class="numbers"
          caption={title}
          rows={bars}
          columns={[
            {
              title: unit,
              names: true,
              cell: ({ label, more, href }) => (
                <span dir="auto">
                  {href ? <a href={href}>{label}</a> : label} {more && <span class="quiet">{more}</span>}
                </span>
              ),
            },
            { title: 'Flights', cell: ({ flights }) => formats.count(flights) },
            { title: 'Distance', cell: ({ distanceKm }) => formats.distance(distanceKm) },
            {
              title: 'Time',
              cell: ({ durationSeconds, durationKnown }) =>
                durationKnown > 0 ? formats.duration(durationSeconds) : '–',
            },
          ]}
        />
      </details>
    </section>
  )
}

/** A link where it leads somewhere, so that nothing looks like one without being one. */
export function MaybeLink({
  href,
  children,
  ...rest
}: {
  href?: string | undefined
  class?: string
  children: ComponentChildren
}) {
  return href ? (
    <a href={href} {...rest}>
      {children}
    </a>
  ) : (
    <span {...rest}>{children}</span>
  )
}

/** Parts of a hundred in a drawing that has no units of its own: letters keep their size whatever its width. */
export const percent = (part: number) => `${Math.round(part * 10_000) / 100}%`
