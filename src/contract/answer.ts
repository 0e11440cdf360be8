const content = Symbol('json text')

/** A whole answer that is JSON already, as text or as its bytes; it is sent as it is. */
export interface JsonText {
  readonly [content]: string | Buffer
}

export const jsonText = (text: string | Buffer): JsonText => ({ [content]: text })

/** What such an answer is sent as, or undefined for another one. */
export const payloadOf = (value: unknown): string | Buffer | undefined =>
  typeof value === 'object' && value !== null && content in value ? (value as JsonText)[content] : undefined

/** The text of such an answer, or undefined for another one. */
export const textOf = (value: unknown): string | undefined => payloadOf(value)?.toString()

/** An answer that is too long to hold in memory: a document that is written while it is sent. */
export interface TextFile {
  readonly name: string
  readonly type: string
  readonly pieces: AsyncIterable<string>
}

export const isTextFile = (value: unknown): value is TextFile =>
  typeof value === 'object' && value !== null && 'pieces' in value
