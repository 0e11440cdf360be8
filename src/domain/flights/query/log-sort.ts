import { compareTexts, fold } from '../../../lib/text.ts'
import { codeOf } from '../../reference/contract.ts'
import type { ReferenceService } from '../../reference/service.ts'
import type { FigureName, FigureRow } from './scan.ts'

export const sortColumns = ['date', 'route', 'airline', 'aircraft', 'distance', 'duration'] as const

export interface LogSort {
  by: (typeof sortColumns)[number]
  order: 'asc' | 'desc'
}

export const DEFAULT_SORT: LogSort = { by: 'date', order: 'desc' }

/** The first order of a column: the newest and the longest flights first, names from A to Z. */
export const firstOrder = (by: LogSort['by']): LogSort['order'] =>
  by === 'route' || by === 'airline' || by === 'aircraft' ? 'asc' : 'desc'

type Records = ReferenceService['records']
type IdColumn = 'fromId' | 'toId' | 'airlineId' | 'aircraftId'
type Row = Pick<FigureRow, 'id'> & Partial<FigureRow>
type KeyOf = (row: Row) => number | null | undefined

interface Column {
  needs: readonly FigureName[]
  keyOf: (rows: readonly Row[], records: Records) => KeyOf
}

const idsIn = (rows: readonly Row[], ...columns: IdColumn[]) =>
  new Set(rows.flatMap((row) => columns.flatMap((column) => row[column] ?? [])))

/** The position of each id in the alphabet, so that names are compared once per name instead of once per flight. */
function ranksOf(ids: ReadonlySet<number>, nameOf: (id: number) => string | undefined): ReadonlyMap<number, number> {
  const named = [...ids].map((id) => ({ id, name: fold(nameOf(id) ?? '') }))
  named.sort((a, b) => compareTexts(a.name, b.name) || a.id - b.id)
  return new Map(named.map(({ id }, rank) => [id, rank]))
}

const columns: Readonly<Record<Exclude<LogSort['by'], 'date'>, Column>> = {
  distance: { needs: ['meters'], keyOf: () => (row) => row.meters },
  duration: { needs: ['seconds'], keyOf: () => (row) => row.seconds },
  airline: {
    needs: ['airlineId'],
    keyOf(rows, records) {
      const airlines = idsIn(rows, 'airlineId')
      const { airline } = records.batch({ airlines })
      const ranks = ranksOf(airlines, (id) => airline(id)?.name)
      return (row) => ranks.get(row.airlineId!)
    },
  },
  aircraft: {
    needs: ['aircraftId'],
    keyOf(rows, records) {
      const types = idsIn(rows, 'aircraftId')
      const { aircraft } = records.batch({ aircraft: types })
      const ranks = ranksOf(types, (id) => aircraft(id)?.name)
      return (row) => ranks.get(row.aircraftId!)
    },
  },
  route: {
    needs: ['fromId', 'toId'],
    keyOf(rows, records) {
      const airports = idsIn(rows, 'fromId', 'toId')
      const { airport } = records.batch({ airports })
      const ranks = ranksOf(airports, (id) => codeOf(airport(id)!))
      return (row) => ranks.get(row.fromId!)! * ranks.size + ranks.get(row.toId!)!
    },
  },
}

/** Sorts the flights of a log in memory. Flights without a value come last in both orders; equal ones newest first. */
export function logSorter({ by, order }: LogSort, records: Records) {
  if (by === 'date') {
    return {
      needs: [],
      add: () => {},
      sorted: ({ planned, flown }: Record<'planned' | 'flown', readonly number[]>) =>
        order === 'desc' ? [...planned, ...flown] : [...flown.toReversed(), ...planned],
    }
  }
  const { needs, keyOf } = columns[by]
  const rows: Row[] = []
  return {
    needs,
    add: (more: readonly Row[]) => void rows.push(...more),
    sorted(): number[] {
      const key = keyOf(rows, records)
      const sign = order === 'asc' ? 1 : -1
      const keyed = rows.map((row) => ({ id: row.id, key: key(row) ?? null }))
      keyed.sort((a, b) => {
        if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null)
        return sign * (a.key - b.key)
      })
      return keyed.map(({ id }) => id)
    },
  }
}
