import { DEFAULT_SORT, firstOrder, type LogSort, sortColumns } from '../../../domain/flights/query/log-sort.ts'

const isColumn = (text: unknown): text is LogSort['by'] => sortColumns.some((column) => column === text)

const usualOrder = (by: LogSort['by'], unsorted: LogSort) => (by === unsorted.by ? unsorted.order : firstOrder(by))

/** From `sort` and `order` of a query. Invalid values count as absent. */
export function readSort(query: unknown, unsorted = DEFAULT_SORT): LogSort {
  const { sort, order } = (query ?? {}) as Readonly<Record<string, unknown>>
  const by = isColumn(sort) ? sort : unsorted.by
  return { by, order: order === 'asc' || order === 'desc' ? order : usualOrder(by, unsorted) }
}

/** The query parameters for `readSort`. Omits defaults. */
export function sortParameters({ by, order }: LogSort, unsorted = DEFAULT_SORT): Record<string, string> {
  return {
    ...(by !== unsorted.by && { sort: by }),
    ...(order !== usualOrder(by, unsorted) && { order }),
  }
}

/** The sort after a click on the heading of a column. */
export const nextSort = (sort: LogSort, by: LogSort['by']): LogSort => {
  if (sort.by !== by) return { by, order: firstOrder(by) }
  return { by, order: sort.order === 'asc' ? 'desc' : 'asc' }
}
