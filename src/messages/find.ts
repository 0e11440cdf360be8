import { messages } from './messages.ts'
import { type Catalogue, isPlural, PLACEHOLDER } from './notation.ts'

export interface FoundMessage {
  /** Groups and key in the table. */
  path: readonly string[]
  values: Readonly<Record<string, string | number>>
}

interface Template {
  path: readonly string[]
  isPlural: boolean
  /** The names between the literals. */
  names: readonly string[]
  literals: readonly string[]
}

/** These are found by their key. */
const KEYED = new Set(['activity', 'scopes', 'scopeGroups', 'permissions', 'permissionGroups'])

/** Longer sentences, such as the errors of parsers and databases, have no translation. */
const MAX_LENGTH = 2_000

function templateOf(path: readonly string[], text: string, plural: boolean): Template {
  const names = [...text.matchAll(PLACEHOLDER)].map(([, name]) => name!)
  return { path, isPlural: plural, names, literals: text.split(/\{\w+\}/) }
}

function templatesOf(entries: Catalogue, path: readonly string[] = []): Template[] {
  return Object.entries(entries).flatMap(([key, entry]) => {
    const inner = [...path, key]
    if (typeof entry === 'string') return templateOf(inner, entry, false)
    if (isPlural(entry)) return Object.values(entry.plural).map((text) => templateOf(inner, text!, true))
    return templatesOf(entry, inner)
  })
}

const literalLength = ({ literals }: Template) => literals.join('').length

let known: { plain: Map<string, Template>; filled: readonly Template[] } | undefined

/** The most specific templates first: "Must be a list." is also of the form "Must be {type}." */
function allTemplates() {
  const sentences = Object.fromEntries(Object.entries(messages).filter(([group]) => !KEYED.has(group)))
  const all = templatesOf(sentences)
  return {
    plain: new Map(all.flatMap((template) => (template.names.length === 0 ? [[template.literals[0]!, template]] : []))),
    filled: all
      .filter(({ names }) => names.length > 0)
      .toSorted((one, other) => literalLength(other) - literalLength(one)),
  }
}

/** The values between the literals; each is as short as possible, except for the last one. */
function valuesIn(text: string, literals: readonly string[]): string[] | undefined {
  const [first = '', ...others] = literals
  const last = others.pop() ?? ''
  if (!text.startsWith(first) || !text.endsWith(last)) return undefined
  const values: string[] = []
  let start = first.length
  for (const literal of others) {
    const end = text.indexOf(literal, start + 1)
    if (end < 0) return undefined
    values.push(text.slice(start, end))
    start = end + literal.length
  }
  const end = text.length - last.length
  return end > start ? [...values, text.slice(start, end)] : undefined
}

function found({ path, names, isPlural }: Template, texts: readonly string[]): FoundMessage | undefined {
  const values: Record<string, string | number> = {}
  for (const [index, name] of names.entries()) values[name] = texts[index]!
  if (isPlural) values.count = Number(values.count)
  return Number.isNaN(values.count) ? undefined : { path, values }
}

/**
 * The message that a sentence was made from. Sentences are plain strings, so that they pass workers, stored answers
 * and the database unchanged; only pages look up their messages.
 */
export function findMessage(sentence: string): FoundMessage | undefined {
  if (sentence.length > MAX_LENGTH) return undefined
  known ??= allTemplates()
  const plain = known.plain.get(sentence)
  if (plain) return found(plain, [])
  for (const template of known.filled) {
    const texts = valuesIn(sentence, template.literals)
    const message = texts && found(template, texts)
    if (message) return message
  }
  return undefined
}
