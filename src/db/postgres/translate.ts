import { type Column, getTableColumns, getTableName, is } from 'drizzle-orm'
import { SQLiteTable } from 'drizzle-orm/sqlite-core'
import * as tables from '../tables/index.ts'

/** Statements are written in the SQLite dialect and translated to PostgreSQL when they are prepared. */
export interface Translated {
  sql: string
  parameters: Parameter[]
}

/** What to bind to `$n`. */
export interface Parameter {
  /** The name or position of the value. */
  key: string
  /** The value is a JSON list that is bound as an array. */
  isList: boolean
}

const STRING_LITERAL = /'(?:[^']|'')*'/g

const PARAMETER = '(\\?|@\\w+)'
const rewrite = (pattern: string) => new RegExp(pattern.replaceAll('PARAMETER', PARAMETER), 'gi')

const REWRITES: readonly (readonly [RegExp, string])[] = [
  // See `jsonTexts` and `jsonList`. The planner estimates arrays, but not the rows of a function.
  [rewrite('\\bin \\(select value from json_each\\(PARAMETER, §\\d+§\\)\\)'), '= any($1[]::text[])'],
  [rewrite('\\bin \\(select value from json_each\\(PARAMETER\\)\\)'), '= any($1[]::bigint[])'],
  [rewrite('json_each\\(PARAMETER, §\\d+§\\)'), 'json_texts($1)'],
  [rewrite('json_each\\('), 'json_numbers('],
  // SQLite and the collation "C" ignore the case of ASCII letters only.
  [rewrite('([\\w."]+) = PARAMETER collate nocase'), 'lower($1) = lower($2 collate "C")'],
  [rewrite('([\\w."]+) collate nocase'), 'lower($1)'],
  [rewrite(' like PARAMETER'), " ilike $1 escape ''"],
  // Query plan hints for SQLite.
  [rewrite('cross join ("?\\w+"?(?: \\w+)?) on '), 'join $1 on '],
  [rewrite('(\\s)\\+(?=[a-z"])'), '$1'],
  [rewrite(' is not (PARAMETER|excluded\\.)'), ' is distinct from $1'],
  [rewrite(' is PARAMETER'), ' is not distinct from $1'],
  [rewrite('limit PARAMETER'), 'limit nullif($1::bigint, -1)'],
  [rewrite('limit -1'), 'limit all'],
  [rewrite('group_concat\\('), 'string_agg('],
  [rewrite('lower\\(hex\\(([^()]+)\\)\\)'), "encode($1, 'hex')"],
]

const TABLES_WITH_IDS: ReadonlySet<string> = new Set(
  Object.values<unknown>(tables)
    .filter((table): table is SQLiteTable => is(table, SQLiteTable))
    .filter((table) => (getTableColumns(table) as Record<string, Column>).id?.getSQLType() === 'integer')
    .map((table) => getTableName(table)),
)

/** Returns the id of inserted rows; Drizzle writes null for generated ids. */
function translateInsert(sql: string): string {
  const [, table = '', first = ''] = /^\s*insert into "?(\w+)"? \("?(\w+)/i.exec(sql) ?? []
  if (!TABLES_WITH_IDS.has(table) || !/\bvalues\s*\(/i.test(sql)) return sql
  const generated = first === 'id' ? sql.replaceAll('(null, ', '(default, ') : sql
  return / returning /i.test(sql) ? generated : `${generated} returning id`
}

/** Drizzle qualifies the columns of `on conflict`, which PostgreSQL rejects. */
const unqualifyConflictColumns = (sql: string) =>
  sql.replace(/(on conflict )\(([^)]*)\)/gi, (_, words, columns) => `${words}(${columns.replace(/"\w+"\./g, '')})`)

export function translate(text: string): Translated {
  const texts: string[] = []
  let sql = text.replace(STRING_LITERAL, (found) => `§${texts.push(found) - 1}§`).replaceAll('`', '"')
  for (const [pattern, replacement] of REWRITES) sql = sql.replace(pattern, replacement)
  const parameters: Parameter[] = []
  let position = 0
  sql = translateInsert(unqualifyConflictColumns(sql)).replace(
    /(?:\?|@(\w+))(\[\])?/g,
    (_found, name?: string, list?: string) => {
      const isList = list !== undefined
      if (name === undefined) return `$${parameters.push({ key: String(position++), isList })}`
      const known = parameters.findIndex((parameter) => parameter.key === name && parameter.isList === isList)
      return `$${known === -1 ? parameters.push({ key: name, isList }) : known + 1}`
    },
  )
  return { sql: sql.replace(/§(\d+)§/g, (_found, index: string) => texts[Number(index)]!), parameters }
}
