import { english } from '../../../messages/english.ts'
import { hasFlightColumns, parseAnyCsv } from './any-csv.ts'
import { parseAppInTheAir } from './app-in-the-air.ts'
import { parseBackup } from './backup.ts'
import { type CsvFormat, columnsOf, csvHeaders, parseCsv } from './csv.ts'
import { requiredFields } from './csv-fields.ts'
import { byair, flighty, jetlog, jetlovers, myflightradar24, openflights } from './csv-formats.ts'
import { parseMilesAndMore } from './miles-and-more.ts'
import { type ParsedFile, type ParseOptions, UnreadableFile } from './row.ts'
import { type Content, isCalendar } from './text.ts'
import { parseTripIt } from './tripit.ts'

export const formatParameters = ['mode', 'fileUser', 'mineOnly', 'columns', 'dateFormat'] as const
export type FormatParameter = (typeof formatParameters)[number]

interface Format {
  title: string
  /** Throws only UnreadableFile. */
  parse: (content: Content, options: ParseOptions) => ParsedFile
  takes: readonly FormatParameter[]
  /** What `line` of a rejected row counts. */
  counts: 'lines' | 'records'
  requiredColumns?: readonly string[]
}

/** In the order of contract 4.13, which is also the order of detection. */
const registry = {
  backup: {
    title: english.import.formatNames.backup,
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
  milesandmore: { title: 'Miles & More', parse: ({ json }) => parseMilesAndMore(json()), takes: [], counts: 'records' },
  csv: {
    title: english.import.formatNames.csv,
    parse: ({ text }, options) => parseAnyCsv(text, options),
    takes: ['columns', 'dateFormat'],
    counts: 'lines',
  },
} satisfies Record<string, Format>

export type FormatName = keyof typeof registry
export const formats: Record<FormatName, Format> = registry
export const formatNames = Object.keys(registry) as FormatName[]

function csv(title: string, format: CsvFormat, takes: FormatParameter[] = []): Format {
  return {
    title,
    parse: ({ text }, options) => parseCsv(format, text, options),
    takes,
    counts: 'lines',
    requiredColumns: format.requiredColumns,
  }
}

/** The format of a file by its content (contract 5.1). */
export function detectFormat({ text, json }: Content, columns: ParseOptions['columns'] = undefined): FormatName {
  const start = text.trimStart()
  const format = start.startsWith('{') ? jsonFormat(json()) : textFormat(text, start, columns)
  if (!format) throw new UnreadableFile(english.import.unknownFormat)
  return format
}

function jsonFormat(document: Record<string, unknown>): FormatName | undefined {
  if (Object.hasOwn(document, 'flights')) return 'backup'
  return Object.hasOwn(document, 'SegmentListResponses') ? 'milesandmore' : undefined
}

function textFormat(text: string, start: string, columns: ParseOptions['columns']): FormatName | undefined {
  if (isCalendar(start)) return 'tripit'
  if (/^Ownership\./m.test(start)) return 'appintheair'
  const headers = csvHeaders(text)
  const known = columnsOf(headers)
  const format = formatNames.find((name) => formats[name].requiredColumns?.every((column) => known.has(column)))
  if (format || headers.length < requiredFields.length) return format
  if (hasFlightColumns(headers, columns)) return 'csv'
  throw new UnreadableFile(english.import.unknownTable, { unclear: [...requiredFields] })
}
