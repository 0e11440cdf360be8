import { csvColumns } from './csv.ts'
import { isCalendar } from './icalendar.ts'
import { type FormatName, formatNames, formats } from './registry.ts'
import { UnreadableFile } from './row.ts'
import { type Content, holdsObject } from './text.ts'

/** The format of a file by its content (contract 5.1). */
export function detectFormat(content: Content): FormatName {
  const format = holdsObject(content.text) ? jsonFormat(content) : textFormat(content.text.trimStart())
  if (!format) throw new UnreadableFile('The format of the file is not known.')
  return format
}

function jsonFormat({ json }: Content): FormatName | undefined {
  const document = json()
  if (Object.hasOwn(document, 'flights')) return 'backup'
  return Object.hasOwn(document, 'SegmentListResponses') ? 'milesandmore' : undefined
}

function textFormat(text: string): FormatName | undefined {
  if (isCalendar(text)) return 'tripit'
  if (/^Ownership\./m.test(text)) return 'appintheair'
  const columns = csvColumns(text)
  return formatNames.find((name) => formats[name].requiredColumns?.every((column) => columns.has(column)))
}
