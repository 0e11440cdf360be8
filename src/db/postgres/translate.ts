import { type Column, getTableColumns, getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as tables from '../tables/index.ts'

/**
 * Statements are written once, for SQLite. What PostgreSQL says otherwise is said here, when a statement is prepared:
 * parameters, and the few words in which the two differ.
 */
export interface Translated {
  sql: string
  /** The parameter behind each `$n`: a name, or its place in the list. */
  parameters: string[]
}

/** Texts in quotes stay as they are. */
const TEXT = /'(?:[^']|'')*'/g

const PARAMETER = '(\\?|@\\w+)'
const words = (pattern: string) => new RegExp(pattern.replaceAll('PARAMETER', PARAMETER), 'gi')

const WORDS: readonly (readonly [RegExp, string])[] = [
  // A list with its path is one of texts, any other one of numbers.
  [words('json_each\\(PARAMETER, §\\d+§\\)'), 'json_texts($1)'],
  [words('json_each\\('), 'json_numbers('],
  // SQLite ignores the case of ASCII letters alone, and so does this collation.
  [words('([\\w."]+) = PARAMETER collate nocase'), 'lower($1) = lower($2 collate "C")'],
  [words('([\\w."]+) collate nocase'), 'lower($1)'],
  [words(' like PARAMETER'), " ilike $1 escape ''"],
  // The order of a cross join, and a plus before a column, tell SQLite how to go. PostgreSQL finds its own way.
  [words('cross join ("?\\w+"?(?: \\w+)?) on '), 'join $1 on '],
  [words('(\\s)\\+(?=[a-z"])'), '$1'],
  [words(' is not (PARAMETER|excluded\\.)'), ' is distinct from $1'],
  [words(' is PARAMETER'), ' is not distinct from $1'],
  [words('limit PARAMETER'), 'limit nullif($1::bigint, -1)'],
  [words('limit -1'), 'limit all'],
  [words('group_concat\\('), 'string_agg('],
  [words('lower\\(hex\\(([^()]+)\\)\\)'), "encode($1, 'hex')"],
]

/** Tables that count their ids. */
const COUNTED: ReadonlySet<string> = new Set(
  Object.values<unknown>(tables)
    .filter((table): table is SQLiteTable => is(table, SQLiteTable))
    .filter((table) => (getTableColumns(table) as Record<string, Column>).id?.getSQLType() === 'integer')
    .map((table) => getTableName(table)),
)

/** Who inserts a row may ask for its id afterwards. The builder gives null for one that is to be counted. */
function insertion(sql: string): string {
  const [, table = '', first = ''] = /^\s*insert into "?(\w+)"? \("?(\w+)/i.exec(sql) ?? []
  if (!COUNTED.has(table) || !/\bvalues\s*\(/i.test(sql)) return sql
  const counted = first === 'id' ? sql.replaceAll('(null, ', '(default, ') : sql
  return / returning /i.test(sql) ? counted : `${counted} returning id`
}

/** The builder names a column with its table; here it stands alone. */
const alone = (sql: string) =>
  sql.replace(/(on conflict )\(([^)]*)\)/gi, (_, words, columns) => `${words}(${columns.replace(/"\w+"\./g, '')})`)

export function translate(text: string): Translated {
  const texts: string[] = []
  let sql = text.replaceAll('`', '"').replace(TEXT, (found) => `§${texts.push(found) - 1}§`)
  for (const [pattern, replacement] of WORDS) sql = sql.replace(pattern, replacement)
  const parameters: string[] = []
  let place = 0
  sql = insertion(alone(sql)).replace(/\?|@(\w+)/g, (_found, name?: string) => {
    if (name === undefined) return `$${parameters.push(String(place++))}`
    const known = parameters.indexOf(name)
    return `$${known === -1 ? parameters.push(name) : known + 1}`
  })
  return { sql: sql.replace(/§(\d+)§/g, (_found, index: string) => texts[Number(index)]!), parameters }
}
