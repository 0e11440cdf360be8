import type { Figures } from './load.ts'

/** Above this share of its core, the load may be the bottleneck. */
const MAX_LOAD_SHARE = 0.9

interface Columns {
  name: string
  ours: Figures
  /** The same with LOG_LEVEL=warn. */
  quiet?: Figures | undefined
  bare?: Figures | undefined
  /** Shares of bare, as text. */
  share?: string
  quietShare?: string
  target?: string | undefined
}

const digits = (value: number) => (value < 10 ? value.toFixed(1) : value.toFixed(0))
const left = (text: string, width: number) => text.padEnd(width)
const right = (text: string, width: number) => text.padStart(width)

const widths = { name: 18, rate: 9, share: 7, cpu: 11, time: 8, times: 12, busy: 7 }

export const HEAD = [
  left('benchmark', widths.name),
  right('req/s', widths.rate),
  right('warn', widths.rate),
  right('bare', widths.rate),
  right('share', widths.share),
  right('warn', widths.share),
  right('CPU µs', widths.cpu),
  right('bare', widths.cpu),
  right('p50 ms', widths.time),
  right('p99 ms', widths.time),
  right('bare', widths.times),
  right('load', widths.busy),
  '  target',
].join('')

export const percent = (share: number) => `${(100 * share).toFixed(0)} %`

export function row({ name, ours, quiet, bare, share = '', quietShare = '', target = '' }: Columns): string {
  const line = [
    left(name, widths.name),
    right(digits(ours.perSecond), widths.rate),
    right(quiet ? digits(quiet.perSecond) : '', widths.rate),
    right(bare ? digits(bare.perSecond) : '', widths.rate),
    right(share, widths.share),
    right(quietShare, widths.share),
    right(ours.cpuMicros.toFixed(0), widths.cpu),
    right(bare ? bare.cpuMicros.toFixed(0) : '', widths.cpu),
    right(digits(ours.p50), widths.time),
    right(digits(ours.p99), widths.time),
    right(bare ? `${digits(bare.p50)} ${digits(bare.p99)}` : '', widths.times),
    right(percent(ours.busy), widths.busy),
    `  ${target}`,
  ].join('')
  const isLoadLimit = [ours, quiet, bare].some((figures) => figures && figures.busy > MAX_LOAD_SHARE)
  return isLoadLimit ? `${line} (the load is the bottleneck)` : line
}
