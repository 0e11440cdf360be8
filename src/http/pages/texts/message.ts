import type { ComponentChildren, JSX } from 'preact'
import {
  type Catalogue,
  isPlural,
  type Placeholder,
  type Plural,
  type PluralForms,
  type Values,
} from '../../../messages/notation.ts'

export { type Catalogue, plural } from '../../../messages/notation.ts'

/** The names of elements: `<link>…</link>`. */
type Tag<Text extends string> = Text extends `${string}</${infer Name}>${infer Rest}` ? Name | Tag<Rest> : never

type Elements<Text extends string> = { [Name in Tag<Text>]: (text: string) => JSX.Element }

type Message<Text extends string> = [Placeholder<Text> | Tag<Text>] extends [never]
  ? string
  : [Tag<Text>] extends [never]
    ? (values: Values<Text>) => string
    : (values: Values<Text> & Elements<Text>) => ComponentChildren

/** What pages use: plain strings, and functions for messages with placeholders, elements or plural forms. */
export type Texts<Source> = {
  readonly [Key in keyof Source]: Source[Key] extends string
    ? Message<Source[Key]>
    : Source[Key] extends Plural<infer Forms>
      ? (
          values: { count: number } & Omit<Values<Forms['other']>, 'count'> & Elements<Forms['other']>,
        ) => [Tag<Forms['other']>] extends [never] ? string : ComponentChildren
      : Texts<Source[Key]>
}

type Intersection<Union> = (Union extends unknown ? (value: Union) => void : never) extends (value: infer All) => void
  ? All
  : never
type WithPlaceholder<Name> = Name extends string ? `${string}{${Name}}${string}` : never
type WithTag<Name> = Name extends string ? `${string}<${Name}>${string}</${Name}>${string}` : never
type Containing<Text extends string> = [Placeholder<Text> | Tag<Text>] extends [never]
  ? string
  : string & Intersection<WithPlaceholder<Placeholder<Text>> | WithTag<Tag<Text>>>

type WithoutCount<Forms extends PluralForms> = [
  Exclude<Placeholder<Forms['other']>, 'count'> | Tag<Forms['other']>,
] extends [never]
  ? string
  : string & Intersection<WithPlaceholder<Exclude<Placeholder<Forms['other']>, 'count'>> | WithTag<Tag<Forms['other']>>>

/** Forms may write their number as a word, except the form for all other numbers. */
type TranslatedForms<Forms extends PluralForms> = { readonly other: Containing<Forms['other']> } & {
  readonly [Rule in Exclude<Intl.LDMLPluralRule, 'other'>]?: WithoutCount<Forms>
}

/** A catalogue in another language: the same keys, placeholders and elements. */
export type Translation<Source> = {
  readonly [Key in keyof Source]: Source[Key] extends string
    ? Containing<Source[Key]>
    : Source[Key] extends Plural<infer Forms>
      ? Plural<TranslatedForms<Forms>>
      : Translation<Source[Key]>
}

type Given = Readonly<Record<string, string | number | ((text: string) => JSX.Element)>>

const PART = /\{(\w+)\}|<(\w+)>(.*?)<\/\2>/g

function compileText(text: string, format: (value: number) => string): string | ((given: Given) => unknown) {
  const names = [...text.matchAll(PART)]
  if (names.length === 0) return text
  const fill = (part: string, given: Given) =>
    part.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = given[name]
      return typeof value === 'number' ? format(value) : String(value)
    })
  if (names.every(([, , tag]) => tag === undefined)) return (given) => fill(text, given)
  return (given) => {
    const children: ComponentChildren[] = []
    let end = 0
    for (const { 0: all, 2: tag, 3: inner = '', index } of names) {
      if (tag === undefined) continue
      children.push(
        fill(text.slice(end, index), given),
        (given[tag] as (text: string) => JSX.Element)(fill(inner, given)),
      )
      end = index + all.length
    }
    children.push(fill(text.slice(end), given))
    return children
  }
}

/** Turns a catalogue into texts. Created per language at the first use, since `Intl` objects take memory. */
export function compile<Source extends Catalogue>(language: string, catalogue: Translation<Source>): Texts<Source> {
  const numbers = new Intl.NumberFormat(language)
  const rules = new Intl.PluralRules(language)
  const format = (value: number) => numbers.format(value)

  function compileEntry(entry: string | Plural | Catalogue): unknown {
    if (typeof entry === 'string') return compileText(entry, format)
    if (!isPlural(entry)) return compileAll(entry)
    const forms = Object.fromEntries(
      Object.entries(entry.plural).map(([rule, text]) => [rule, compileText(text, format)]),
    ) as Partial<Record<Intl.LDMLPluralRule, string | ((given: Given) => unknown)>>
    return (given: Given & { count: number }) => {
      const form = forms[rules.select(given.count)] ?? forms.other!
      return typeof form === 'string' ? form : form(given)
    }
  }
  const compileAll = (entries: Catalogue): Record<string, unknown> =>
    Object.fromEntries(Object.entries(entries).map(([key, entry]) => [key, compileEntry(entry)]))

  return compileAll(catalogue as unknown as Catalogue) as Texts<Source>
}
