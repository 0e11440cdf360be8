import { isCalendarDay } from '../../../lib/dates.ts'
import { compareTexts } from '../../../lib/text.ts'
import { csvText, dataRows } from './files.ts'

const COLUMNS = ['id', 'name', 'code', 'from', 'until', 'event', 'certain']

const isDate = (text = ''): boolean =>
  /^(?:\d{4}(?:-\d\d){0,2})?$/.test(text) && isCalendarDay((text || '2000').padEnd(10, '-01'))

/** Checks and sorts the lines. */
export function validityText(file: string, knownIds: readonly string[]): string {
  const ids = new Set(knownIds)
  const lines = dataRows(file)
  const wrong = lines.filter(
    ({ id = '', from = '', until = '', event, certain = '' }) =>
      !(ids.has(id) && isDate(from) && isDate(until) && (from || until) && event && ['yes', 'no'].includes(certain)) ||
      (from !== '' && until !== '' && from > until),
  )
  if (wrong.length > 0)
    throw new Error(`${file} has wrong lines: ${wrong.map(({ id, name }) => `${id} ${name}`).join(', ')}.`)
  return csvText(
    COLUMNS,
    lines.sort((a, b) => compareTexts(`${a.name} ${a.id} ${a.code}`, `${b.name} ${b.id} ${b.code}`)),
  )
}
