import type { Caller } from '../../../../access/caller.ts'
import { ImportQuery, type ImportReport } from '../../../../domain/transfer/contract.ts'
import type { CsvColumns } from '../../../../domain/transfer/formats/csv-fields.ts'
import { type FormatName, formats } from '../../../../domain/transfer/formats/registry.ts'
import type { CellEdits, UnclearPart } from '../../../../domain/transfer/formats/row.ts'
import type { Steps } from '../../../../domain/transfer/import-work.ts'
import { UserNotChosen } from '../../../../domain/transfer/people.ts'
import type { ImportPreview } from '../../../../domain/transfer/preview.ts'
import { ParameterMismatch, UnclearTable } from '../../../../domain/transfer/read-file.ts'
import { sampleTable, type TableSample } from '../../../../domain/transfer/table-sample.ts'
import { AppError } from '../../../../lib/errors.ts'
import type { PageContext } from '../../framework/context.ts'
import { type FieldErrors, type FormValues, formSpecs } from '../../framework/forms.ts'
import { errorText, messageText } from '../../framework/service-messages.ts'
import type { Visit } from '../../framework/signed-in.ts'
import type { PageTexts } from '../../texts/languages.ts'

export type ImportTexts = PageTexts['importFlights']

/** Most formats have the name of an application. */
export function formatTitle(format: FormatName, { messages }: PageTexts): string {
  const names: Partial<Record<FormatName, string>> = messages.import.formatNames
  return names[format] ?? formats[format].title
}

export const IMPORT_PATH = '/import'
export const CHECK_PATH = '/import/check'

/** A file with more rejected rows has one cause. */
const MAX_REJECTED = 200

/** The field for the airport that replaces an unknown code. */
export const placeField = (code: string) => `place-${encodeURIComponent(code)}`

/** Choices that depend on the file. */
export const choiceSpecs = (t: ImportTexts) =>
  formSpecs({
    fileUser: { id: 'fileUser', label: t.fileUser, hint: t.fileUserHint, kind: 'select' },
    mode: {
      id: 'mode',
      label: t.whoseFlights,
      kind: 'select',
      options: [
        { value: '', label: t.modes.mine },
        { value: 'restore', label: t.modes.restore },
      ],
    },
    others: { id: 'others', label: t.others, kind: 'box' },
  })

type Choices = FormValues<ReturnType<typeof choiceSpecs>>

export const noChoices: Choices = { fileUser: '', mode: '', others: false }

/** The report with a bounded list. */
export interface StoredReport extends Omit<ImportReport, 'rejected' | 'dryRun'> {
  rejected: ImportReport['rejected']
  /** Includes those beyond the list. */
  leftOut: number
}

/** Stored with the file between the two steps. */
export interface ImportNote {
  format: ImportQuery['format']
  choices: Choices
  /** Replacements for unknown codes of the file. */
  airports: Record<string, number>
  /** Chosen columns of a table. */
  columns?: CsvColumns
  dateFormat?: ImportQuery['dateFormat']
  /** Corrected cells of a table. */
  edits?: CellEdits
  /** The beginning of a table. */
  sample?: TableSample
  /** What the user has to choose before the table can be read. */
  unclear?: readonly UnclearPart[]
  seen?: { report: StoredReport; preview: ImportPreview }
  /** The user has to choose a person of the backup first. */
  asks?: { users: readonly string[] }
  done?: StoredReport
}

export const toStored = ({ rejected, dryRun: _, ...counts }: ImportReport): StoredReport => ({
  ...counts,
  rejected: rejected.slice(0, MAX_REJECTED),
  leftOut: rejected.length,
})

export const pendingImport = ({ pendingUploads }: PageContext, { caller, session }: Visit) =>
  pendingUploads.find<ImportNote>({ userId: caller.userId, session })

/** Leaves out choices that exclude each other. */
export function importOptions({ format, choices, airports, columns, dateFormat, edits }: ImportNote) {
  const { fileUser, mode, others } = choices
  const query = ImportQuery.parse({
    format,
    ...(mode === 'restore' ? { mode } : { ...(fileUser && { fileUser }) }),
    ...(others && { mineOnly: 'false' }),
  })
  return { ...query, airports, columns, dateFormat, edits }
}

/** Runs a dry run with these choices. */
export async function previewImport(
  { imports }: PageContext,
  caller: Caller,
  content: Buffer,
  { seen: _, asks: __, unclear: ___, ...note }: ImportNote,
  progress: Steps['progress'],
): Promise<ImportNote> {
  const sample = note.sample ?? sampleTable(content)
  try {
    const { report, preview } = await imports.look(caller, content, importOptions(note), progress)
    return { ...note, ...(preview.format === 'csv' && { sample }), seen: { report: toStored(report), preview } }
  } catch (error) {
    if (error instanceof UnclearTable) return { ...note, sample, unclear: error.unclear }
    if (!(error instanceof UserNotChosen) || error.users.length === 0) throw error
    return { ...note, asks: { users: error.users } }
  }
}

/** Errors that the user can fix by another file or choice, by field. */
export function fileErrorsOf(error: unknown, texts: PageTexts): FieldErrors | undefined {
  const { mismatches } = texts.importFlights
  if (error instanceof ParameterMismatch) {
    return Object.fromEntries(error.names.map((name) => [name === 'mineOnly' ? 'others' : name, mismatches[name]]))
  }
  if (error instanceof UserNotChosen && error.users.length > 0) return { fileUser: errorText(error, texts) }
  const isFixable = error instanceof AppError && ['validation_failed', 'bad_request'].includes(error.code)
  return isFixable ? { file: messageText(error.message, texts) } : undefined
}
