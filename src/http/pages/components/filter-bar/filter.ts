import { type FlightFilter, filterShape, inOrder } from '../../../../domain/flights/query/filter-contract.ts'

/** The query parameters of the filter (contract 16.1): `year` and those of the API. */
export type FilterName = 'year' | keyof typeof filterShape

const names = [...new Set(['year', 'text', ...Object.keys(filterShape)])] as FilterName[]

const MAX_VALUE_LENGTH = 5_049 // fifty items

type Values = Partial<Record<FilterName, string>>

export interface PageFilter {
  /** For the services: `flights.list(caller, { scope: 'mine', ...filter })`. */
  filter: FlightFilter
  /** The normalized query; empty without a filter. */
  query: string
  values: Values
  /** Each value, or each item of a list, with the query without it. */
  active: { name: FilterName; value: string; without: string }[]
  /** Invalid parameters; `order` if the first day is after the last. */
  fieldErrors: (FilterName | 'order')[]
}

export function addressOf(path: string, query: string, own: Readonly<Record<string, string>> = {}): string {
  const all = [query, new URLSearchParams(own).toString()].filter(Boolean).join('&')
  return all === '' ? path : `${path}?${all}`
}

function queryOf(values: Values): string {
  const given = names.flatMap((name): [string, string][] => (values[name] ? [[name, values[name]]] : []))
  return new URLSearchParams(given).toString().replaceAll('%2C', ',')
}

/** The query with other values; `undefined` removes one. */
export const queryWith = ({ values }: PageFilter, changes: Values): string => queryOf({ ...values, ...changes })

/** Repeated parameters are joined to a list. */
function textOf(given: unknown): string {
  const texts = [given].flat().filter((each): each is string => typeof each === 'string' && each.trim() !== '')
  return texts.map((each) => each.trim()).join(',')
}

/** The parsed value and its normalized text; undefined if it is invalid. */
function read(name: FilterName, text: string): { parsed: Partial<FlightFilter>; value: string } | undefined {
  if (text.length > MAX_VALUE_LENGTH) return undefined
  if (name === 'year') {
    if (!/^\d{4}$/.test(text)) return undefined
    return { parsed: { dateFrom: `${text}-01-01`, dateTo: `${text}-12-31` }, value: text }
  }
  const { success, data } = filterShape[name].safeParse(text)
  if (!success) return undefined
  // Parsing folds the text, but the page shows it as typed.
  const value = name === 'text' ? text : Array.isArray(data) ? data.join(',') : String(data)
  return { parsed: { [name]: data }, value }
}

function activeOf(values: Values): PageFilter['active'] {
  return names.flatMap((name) => {
    const whole = values[name]
    if (whole === undefined) return []
    const items = name === 'text' ? [whole] : whole.split(',')
    return items.map((value) => {
      const rest = items.filter((item) => item !== value).join(',')
      return { name, value, without: queryOf({ ...values, [name]: rest }) }
    })
  })
}

/** Reads the filter from a query. Invalid parameters are ignored and reported in `fieldErrors`. */
export function readPageFilter(query: unknown): PageFilter {
  const given = (query ?? {}) as Readonly<Record<string, unknown>>
  const values: Values = {}
  const fieldErrors: PageFilter['fieldErrors'] = []
  let filter: FlightFilter = {}
  for (const name of names) {
    const text = textOf(given[name])
    if (text === '') continue
    const found = read(name, text)
    if (found && !(name in filter)) {
      filter = { ...filter, ...found.parsed }
      values[name] = found.value
    } else fieldErrors.push(name)
  }
  const [isInOrder] = inOrder
  if (!isInOrder(filter)) {
    for (const name of ['dateFrom', 'dateTo'] as const) {
      delete filter[name]
      delete values[name]
    }
    fieldErrors.push('order')
  }
  return { filter, query: queryOf(values), values, active: activeOf(values), fieldErrors }
}
