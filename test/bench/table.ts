import type { Figures } from './load.ts'

/** Above this share of its core, the load may be the bottleneck. */
const MAX_LOAD_SHARE = 0.9

/** How a table names a workload. */
export interface Named {
  /** Selects it on the command line. */
  name: string
  title: string
}

interface Columns {
  workload: Named
  ours: Figures
  /** The same with LOG_LEVEL=warn. */
  quiet?: Figures | undefined
  bare?: Figures | undefined
  /** Shares of bare, as text. */
  share?: string
  quietShare?: string
  target?: string | undefined
}

const digits = (value: number) => (value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString('en'))

export const percent = (share: number) => `${(100 * share).toFixed(0)} %`

/** A line of a table in Markdown. */
const cells = (values: readonly string[]) => `| ${values.join(' | ')} |`

const list = (values: readonly (string | undefined)[]) => values.filter(Boolean).join(', ')

const columns = [
  'Workload',
  'Requests/s: Paxlog, `warn`, bare',
  'Share of bare: Paxlog, `warn`',
  'CPU in µs: Paxlog, bare',
  'p50 and p99 in ms',
  'of bare',
  'Load',
  'Target',
]

/** The first two lines of a table in Markdown. */
export const HEAD = [cells(columns), `|${'---|'.repeat(columns.length)}`].join('\n')

const times = (figures: Figures | undefined) => figures && `${digits(figures.p50)} and ${digits(figures.p99)}`

export function row({ workload, ours, quiet, bare, share, quietShare, target = '' }: Columns): string {
  const isLoadLimit = [ours, quiet, bare].some((figures) => figures && figures.busy > MAX_LOAD_SHARE)
  return cells([
    `\`${workload.name}\`: ${workload.title}`,
    list([ours, quiet, bare].map((figures) => figures && digits(figures.perSecond))),
    list([share, quietShare]),
    list([ours, bare].map((figures) => figures && digits(figures.cpuMicros))),
    times(ours)!,
    times(bare) ?? '',
    `${percent(ours.busy)}${isLoadLimit ? ' (the bottleneck)' : ''}`,
    target,
  ])
}
