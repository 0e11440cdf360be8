import { dayAfter, dayOf } from '../../lib/dates.ts'
import { type ValidityLine, validityLines } from './shipped.ts'

/** Both days are included; null is unknown or still open. */
export interface Validity {
  validFrom: string | null
  validUntil: string | null
}

export const NO_VALIDITY: Validity = { validFrom: null, validUntil: null }

export const isValidOn = ({ validFrom, validUntil }: Validity, date: string): boolean =>
  (validFrom ?? '') <= date && (validUntil === null || date <= validUntil)

/** The first day of a year, a month or a day. */
const firstDay = (date: string): string => date + '-01-01'.slice(date.length - '2025'.length)

function lastDay(date: string): string {
  if (date.length === 10) return date
  const [year, month] = date.split('-').map(Number) as [number, number | undefined]
  return dayAfter(dayOf(Date.UTC(year, month ?? 12, 1)), -1)
}

const validityOf = ({ from, until }: ValidityLine): Validity => ({
  validFrom: from === '' ? null : firstDay(from),
  validUntil: until === '' ? null : lastDay(until),
})

type DatedKind = 'airports' | 'airlines'

/** The known days of existence by source id. */
export const shippedValidity = (kind: DatedKind): ReadonlyMap<string, Validity> =>
  new Map(
    validityLines(kind)
      .filter(({ code }) => code === '')
      .map((line) => [line.id, validityOf(line)]),
  )

export interface CodeUse extends Validity {
  sourceId: string
}

/** Airports and airlines that used a code for some time only, by code. */
export const formerCodeUses = (kind: DatedKind): ReadonlyMap<string, CodeUse[]> =>
  new Map(
    [...Map.groupBy(validityLines(kind), ({ code }) => code)]
      .filter(([code]) => code !== '')
      .map(([code, lines]) => [code, lines.map((line) => ({ sourceId: line.id, ...validityOf(line) }))]),
  )
