import type { Trip } from '../../../domain/trips/contract.ts'
import type { Formats } from '../framework/formats.ts'
import type { PageTexts } from '../texts/languages.ts'

type Dates = Pick<Trip, 'dateFrom' | 'dateTo'>

export function datesOf({ dateFrom, dateTo }: Dates, formats: Formats, t: PageTexts['trips']): string {
  if (dateFrom === null || dateTo === null) return t.noFlights
  const [from, to] = [formats.day(dateFrom), formats.day(dateTo)]
  return from === to ? from : t.dates({ from, to })
}
