const content = Symbol('json text')

/** A whole answer that is JSON text already; it is sent as it is. */
export interface JsonText {
  readonly [content]: string
}

export const jsonText = (text: string): JsonText => ({ [content]: text })

/** The text of such an answer, or undefined for another one. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null && content in value ? (value as JsonText)[content] : undefined

/** An answer that is too long to hold in memory: a document that is written while it is sent. */
export interface TextFile {
  readonly name: string
  readonly type: string
  readonly pieces: AsyncIterable<string>
}

export const isTextFile = (value: unknown): value is TextFile =>
  typeof value === 'object' && value !== null && 'pieces' in value
