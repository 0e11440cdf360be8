/** The names in braces: `{count}`. */
export type Placeholder<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholder<Rest>
  : never

export type Values<Text extends string> = { [Name in Placeholder<Text>]: string | number }

export type PluralForms<Other = string> = { readonly other: Other } & {
  readonly [Rule in Exclude<Intl.LDMLPluralRule, 'other'>]?: string
}

export interface Plural<Forms extends PluralForms = PluralForms> {
  readonly plural: Forms
}

/** A message whose form depends on `{count}`, by the plural rules of the language. */
export const plural = <const Forms extends PluralForms>(forms: Forms): Plural<Forms> => ({ plural: forms })

export interface Catalogue {
  readonly [key: string]: string | Plural | Catalogue
}

export const isPlural = (entry: Plural | Catalogue): entry is Plural => typeof entry.plural === 'object'

export const PLACEHOLDER = /\{(\w+)\}/g
