import { parseAppInTheAir } from './app-in-the-air.ts'
import { parseBackup } from './backup.ts'
import { byair } from './byair.ts'
import { type CsvFormat, parseCsv } from './csv.ts'
import { flighty } from './flighty.ts'
import { jetlog } from './jetlog.ts'
import { jetlovers } from './jetlovers.ts'
import { parseMilesAndMore } from './miles-and-more.ts'
import { myflightradar24 } from './myflightradar24.ts'
import { openflights } from './openflights.ts'
import type { ParsedFile, ParseOptions } from './row.ts'
import type { Content } from './text.ts'
import { parseTripIt } from './tripit.ts'

/** In the order of contract 4.13, which is also the order of detection. */
export const formatNames = [
  'backup',
  'myflightradar24',
  'flighty',
  'appintheair',
  'openflights',
  'jetlog',
  'tripit',
  'byair',
  'jetlovers',
  'milesandmore',
] as const
export type FormatName = (typeof formatNames)[number]

/** Parameters that only some formats have. */
type FormatParameter = 'mode' | 'fileUser' | 'mineOnly'

export interface Format {
  /** Shown to users. */
  title: string
  /** Throws only UnreadableFile. */
  parse: (content: Content, options: ParseOptions) => ParsedFile
  takes: readonly FormatParameter[]
  /** What `line` of a rejected row counts. */
  counts: 'lines' | 'records'
  /** CSV only: the columns by which the format is detected. */
  requiredColumns?: readonly string[]
}

export const formats: Record<FormatName, Format> = {
  backup: {
    title: 'Paxlog or AirTrail backup',
    parse: ({ json }) => parseBackup(json()),
    takes: ['mode', 'fileUser'],
    counts: 'records',
  },
  myflightradar24: csv('myFlightradar24', myflightradar24),
  flighty: csv('Flighty', flighty),
  appintheair: {
    title: 'App in the Air',
    parse: ({ text }, options) => parseAppInTheAir(text, options),
    takes: ['mineOnly'],
    counts: 'lines',
  },
  openflights: csv('OpenFlights', openflights),
  jetlog: csv('Jetlog', jetlog),
  tripit: { title: 'TripIt', parse: ({ text }) => parseTripIt(text), takes: [], counts: 'records' },
  byair: csv('byAir', byair, ['mineOnly']),
  jetlovers: csv('JetLovers', jetlovers),
  milesandmore: {
    title: 'Miles & More',
    parse: ({ json }) => parseMilesAndMore(json()),
    takes: [],
    counts: 'records',
  },
}

function csv(title: string, format: CsvFormat, takes: FormatParameter[] = []): Format {
  return {
    title,
    parse: ({ text }, options) => parseCsv(format, text, options),
    takes,
    counts: 'lines',
    requiredColumns: format.requiredColumns,
  }
}
