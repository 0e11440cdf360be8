const content = Symbol('json text')

/** A whole answer that is JSON text already; it is sent as it is. */
export interface JsonText {
  readonly [content]: string
}

export const jsonText = (text: string): JsonText => ({ [content]: text })

/** The text of such an answer, or undefined for an ordinary value. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null && content in value ? (value as JsonText)[content] : undefined
