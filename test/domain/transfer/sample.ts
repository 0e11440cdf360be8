import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type FormatName, formats } from '../../../src/domain/transfer/formats/registry.ts'
import type { ParsedFile, ParsedFlight } from '../../../src/domain/transfer/formats/row.ts'
import { contentOf, fileText } from '../../../src/domain/transfer/formats/text.ts'

export const sampleBytes = (name: string): Uint8Array => readFileSync(join(import.meta.dirname, 'samples', name))

export const sampleText = (name: string): string => fileText(sampleBytes(name))

/** Every format and its sample file. */
export const samples: [FormatName, string][] = [
  ['backup', 'backup.json'],
  ['backup', 'backup-older.json'],
  ['myflightradar24', 'myflightradar24.csv'],
  ['flighty', 'flighty.csv'],
  ['appintheair', 'app-in-the-air.txt'],
  ['openflights', 'openflights.csv'],
  ['jetlog', 'jetlog.csv'],
  ['tripit', 'tripit.ics'],
  ['byair', 'byair.csv'],
  ['jetlovers', 'jetlovers.csv'],
  ['milesandmore', 'miles-and-more.json'],
  ['csv', 'any.csv'],
]

export const parse = (format: FormatName, text: string, mineOnly = true): ParsedFile =>
  formats[format].parse(contentOf(text), { mineOnly })

/** The flights of a file by row, without null values. */
export function flights(file: ParsedFile): Record<number, Partial<ParsedFlight>> {
  return Object.fromEntries(
    [...file.rows].flatMap(({ row, flight, problems }) =>
      flight && problems.length === 0 ? [[row, withoutNulls(flight)]] : [],
    ),
  )
}

/** The first problem of each rejected row. */
export function reasons(file: ParsedFile): Record<number, string> {
  return Object.fromEntries(
    [...file.rows].flatMap(({ row, problems: [first] }): [number, string][] =>
      first === undefined ? [] : [[row, first]],
    ),
  )
}

const withoutNulls = (flight: ParsedFlight) =>
  Object.fromEntries(Object.entries(flight).filter(([, value]) => value !== null)) as Partial<ParsedFlight>
