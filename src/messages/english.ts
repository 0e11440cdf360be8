import { messages } from './messages.ts'
import { type Catalogue, isPlural, PLACEHOLDER, type Placeholder, type Plural, type Values } from './notation.ts'

type Message<Text extends string> = [Placeholder<Text>] extends [never] ? string : (values: Values<Text>) => string

/** Plain strings, and functions for messages with placeholders. */
type English<Source> = {
  readonly [Key in keyof Source]: Source[Key] extends string
    ? Message<Source[Key]>
    : Source[Key] extends Plural<infer Forms>
      ? (values: { count: number } & Omit<Values<Forms['other']>, 'count'>) => string
      : English<Source[Key]>
}

type Given = Readonly<Record<string, string | number>>

const fill = (text: string, given: Given) => text.replace(PLACEHOLDER, (_, name: string) => String(given[name]))

type FormatCount = (count: number) => string

function compileEntry(entry: string | Plural | Catalogue, format: FormatCount): unknown {
  if (typeof entry === 'string') return entry.search(PLACEHOLDER) < 0 ? entry : (given: Given) => fill(entry, given)
  if (!isPlural(entry)) return compileAll(entry, format)
  const { one, other } = entry.plural
  return (given: Given & { count: number }) =>
    fill(given.count === 1 ? (one ?? other) : other, { ...given, count: format(given.count) })
}

const compileAll = (entries: Catalogue, format: FormatCount): Record<string, unknown> =>
  Object.fromEntries(Object.entries(entries).map(([key, entry]) => [key, compileEntry(entry, format)]))

/** The messages as the API, tools, logs and commands use them. Only the activity log has separators in numbers. */
export const english = {
  ...compileAll(messages, String),
  activity: compileAll(messages.activity, (count) => count.toLocaleString('en')),
} as English<typeof messages>
