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
import { parseTripIt } from './tripit.ts'

/** In the order of the contract (4.13), which is also that of recognition. */
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

/** Parameters of an import that belong to some formats only. */
type FormatParameter = 'mode' | 'fileUser' | 'mineOnly'

export interface Format {
  /** Throws UnreadableFile for the file as a whole, and nothing else. */
  parse: (text: string, options: ParseOptions) => ParsedFile
  takes: readonly FormatParameter[]
  /** CSV only: the columns by which a file is recognised. */
  marks?: readonly string[]
}

export const formats: Record<FormatName, Format> = {
  backup: { parse: parseBackup, takes: ['mode', 'fileUser'] },
  myflightradar24: csv(myflightradar24),
  flighty: csv(flighty),
  appintheair: { parse: parseAppInTheAir, takes: ['mineOnly'] },
  openflights: csv(openflights),
  jetlog: csv(jetlog),
  tripit: { parse: parseTripIt, takes: [] },
  byair: csv(byair, ['mineOnly']),
  jetlovers: csv(jetlovers),
  milesandmore: { parse: parseMilesAndMore, takes: [] },
}

function csv(format: CsvFormat, takes: FormatParameter[] = []): Format {
  return { parse: (text, options) => parseCsv(format, text, options), takes, marks: format.marks }
}
