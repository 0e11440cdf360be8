import { AppError } from '../../lib/errors.ts'
import type { ImportQuery } from './contract.ts'
import { detectFormat } from './formats/detect.ts'
import { type FormatName, formats } from './formats/registry.ts'
import { type ParsedFile, UnreadableFile } from './formats/row.ts'
import { contentOf, fileText } from './formats/text.ts'

export interface ReadFile extends ParsedFile {
  format: FormatName
}

export type Parameter = 'mode' | 'fileUser' | 'mineOnly'

/** Parameters that belong to other formats than the one of the file. */
export class ParameterMismatch extends AppError {
  readonly names: readonly Parameter[]
  readonly kind: string

  constructor(names: readonly Parameter[], kind: string) {
    super('bad_request', `The parameter ${names.join(', ')} does not belong to an import of ${kind}.`)
    this.name = 'ParameterMismatch'
    this.names = names
    this.kind = kind
  }
}

/** A parameter of another format is a mistake that should not pass in silence. */
function requireFitting(format: FormatName, query: ImportQuery): void {
  const { takes } = formats[format]
  const wrong = (['mode', 'fileUser', 'mineOnly'] as const).filter(
    (name) => query[name] !== undefined && (!takes.includes(name) || (name === 'fileUser' && query.mode === 'restore')),
  )
  if (wrong.length === 0) return
  const kind = query.mode === 'restore' ? `${format} in restore mode` : format
  throw new ParameterMismatch(wrong, kind)
}

/** The bytes of a file, or how to get at them: then nobody holds them any longer once they are read. */
export type FileContent = Buffer | (() => Promise<Buffer>)

/** The rows of a file in the format that the query names or the content tells. */
export async function readFile(file: FileContent, query: ImportQuery): Promise<ReadFile> {
  if (query.format !== 'auto') requireFitting(query.format, query)
  try {
    const content = contentOf(fileText(typeof file === 'function' ? await file() : file))
    const format = query.format === 'auto' ? detectFormat(content) : query.format
    requireFitting(format, query)
    return { format, ...formats[format].parse(content, { mineOnly: query.mineOnly ?? true }) }
  } catch (error) {
    if (error instanceof UnreadableFile) throw new AppError('validation_failed', error.message, { cause: error })
    throw error
  }
}
