const jsonContent = Symbol('json text')

export type JsonContent = string | Buffer | readonly Buffer[]

export interface JsonText {
  readonly [jsonContent]: JsonContent
}

export const jsonText = (text: JsonContent): JsonText => ({ [jsonContent]: text })

const isJsonText = (value: unknown): value is JsonText =>
  typeof value === 'object' && value !== null && jsonContent in value

export const jsonOf = (value: unknown): JsonContent | undefined => (isJsonText(value) ? value[jsonContent] : undefined)

export interface JsonAnswer {
  readonly data: JsonText | readonly JsonText[] | null
  readonly page?: { readonly nextCursor: string | null; readonly more?: boolean }
}

export interface TextFile {
  readonly name: string
  readonly type: string
  readonly pieces: AsyncIterable<string>
}

export const isTextFile = (value: unknown): value is TextFile =>
  typeof value === 'object' && value !== null && 'pieces' in value
