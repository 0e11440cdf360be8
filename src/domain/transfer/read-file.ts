import { AppError } from '../../lib/errors.ts'
import { english } from '../../messages/english.ts'
import type { ImportOrder, ImportQuery } from './contract.ts'
import { detectFormat, type FormatName, type FormatParameter, formatParameters, formats } from './formats/registry.ts'
import { type ParsedFile, type UnclearPart, UnreadableFile } from './formats/row.ts'
import { contentOf, fileText } from './formats/text.ts'

export interface ReadFile extends ParsedFile {
  format: FormatName
}

export class ParameterMismatch extends AppError {
  readonly names: readonly FormatParameter[]

  constructor(message: string, names: readonly FormatParameter[]) {
    super('bad_request', message)
    this.name = 'ParameterMismatch'
    this.names = names
  }
}

/** A table whose columns or dates the caller has to describe. */
export class UnclearTable extends AppError {
  readonly unclear: readonly UnclearPart[]

  constructor(message: string, unclear: readonly UnclearPart[]) {
    super('validation_failed', message)
    this.name = 'UnclearTable'
    this.unclear = unclear
  }
}

function requireFitting(format: FormatName, query: ImportQuery): void {
  const { takes } = formats[format]
  const wrong = formatParameters.filter(
    (name) => query[name] !== undefined && (!takes.includes(name) || (name === 'fileUser' && query.mode === 'restore')),
  )
  if (wrong.length === 0) return
  const message = query.mode === 'restore' ? english.import.parameterInRestore : english.import.parameter
  throw new ParameterMismatch(message({ parameters: wrong.join(', '), format }), wrong)
}

export function readFile(file: Buffer, query: ImportOrder): ReadFile {
  if (query.format !== 'auto') requireFitting(query.format, query)
  try {
    const content = contentOf(fileText(file))
    const format = query.format === 'auto' ? detectFormat(content, query.columns) : query.format
    requireFitting(format, query)
    const { mineOnly = true, columns, dateFormat, edits } = query
    return { format, ...formats[format].parse(content, { mineOnly, columns, dateFormat, edits }) }
  } catch (error) {
    if (error instanceof UnreadableFile && error.unclear) throw new UnclearTable(error.message, error.unclear)
    if (error instanceof UnreadableFile) throw new AppError('validation_failed', error.message, { cause: error })
    throw error
  }
}
