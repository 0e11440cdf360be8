import type { DocumentFlight } from '../document-flight.ts'

export interface Content {
  bytes: Buffer
  /** The content as text; invalid UTF-8 is replaced. */
  text: () => string
}

export interface Reader {
  /** Content types that name the format. */
  types: readonly string[]
  /** Recognizes the format by content, if the content type does not name one. `start` has no white space in front. */
  matches: (start: string) => boolean
  /** Set if reading can take long. */
  needsWorker: boolean
  /** Throws `AppError` for broken input; without flights the list is empty. */
  read: (content: Content, reference: string) => DocumentFlight[] | Promise<DocumentFlight[]>
}

export function contentOf(bytes: Buffer): Content {
  let text: string | undefined
  return {
    bytes,
    text: () => (text ??= bytes.toString('utf8').replace(/^\uFEFF/, '')),
  }
}
