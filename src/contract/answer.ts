const content = Symbol('json text')
const holder = Symbol('holder of its tag')

export type JsonContent = string | Buffer | readonly Buffer[]

/** A record that is JSON already, as text or as its bytes, in one part or several. */
export interface JsonText {
  readonly [content]: JsonContent
  readonly [holder]: TagHolder | undefined
}

/** What is kept with a record: who tags its answer may leave the tag there. */
export interface TagHolder {
  tag?: string
}

export const jsonText = (text: JsonContent, kept?: TagHolder): JsonText => ({ [content]: text, [holder]: kept })

const isJsonText = (value: unknown): value is JsonText =>
  typeof value === 'object' && value !== null && content in value

/** The JSON of such a record, or undefined for another value. */
export const jsonOf = (value: unknown): JsonContent | undefined => (isJsonText(value) ? value[content] : undefined)

export const tagHolderOf = (value: unknown): TagHolder | undefined => (isJsonText(value) ? value[holder] : undefined)

/** An answer whose records are JSON already: only what is around them is missing. */
export interface JsonAnswer {
  readonly data: JsonText | readonly JsonText[] | null
  readonly page?: { readonly nextCursor: string | null; readonly more?: boolean }
}

/** An answer that is too long to hold in memory: a document that is written while it is sent. */
export interface TextFile {
  readonly name: string
  readonly type: string
  readonly pieces: AsyncIterable<string>
}

export const isTextFile = (value: unknown): value is TextFile =>
  typeof value === 'object' && value !== null && 'pieces' in value
