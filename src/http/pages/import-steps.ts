import type { Caller } from '../../access/caller.ts'
import { ImportQuery, type ImportReport } from '../../domain/transfer/contract.ts'
import { UserNotChosen } from '../../domain/transfer/people.ts'
import type { ImportPreview } from '../../domain/transfer/preview.ts'
import { ParameterMismatch } from '../../domain/transfer/read-file.ts'
import { AppError } from '../../lib/errors.ts'
import type { PageContext } from './context.ts'
import { type Faults, formSpecs, type Typed } from './forms.ts'

export const IMPORT_PATH = '/import'
export const CHECK_PATH = '/import/check'

/** As many reasons as one reads; a file of which more is wrong has one cause. */
const MOST_REJECTED = 200

/** The field for the airport that stands for a code of the file. */
export const placeField = (code: string) => `place-${code}`

/** What can be chosen once it is known what the file is. */
export const choiceSpecs = formSpecs({
  fileUser: {
    id: 'fileUser',
    label: 'Your name in the backup',
    hint: 'Whose flights of the file come into your log.',
    kind: 'select',
  },
  mode: {
    id: 'mode',
    label: 'Whose flights',
    kind: 'select',
    options: [
      { value: '', label: 'Mine: into my own log' },
      { value: 'restore', label: 'Everybody’s: restore a whole backup' },
    ],
  },
  others: { id: 'others', label: 'Also take flights that belong to others', kind: 'box' },
})

export type Choices = Typed<typeof choiceSpecs>

export const noChoices: Choices = { fileUser: '', mode: '', others: false }

/** The report without a list that has no end. */
export interface KeptReport extends Omit<ImportReport, 'rejected' | 'dryRun'> {
  rejected: ImportReport['rejected']
  leftOut: number
}

/** What is written down beside a file between the two steps. */
export interface ImportNote {
  format: ImportQuery['format']
  choices: Choices
  /** Airports that stand for codes of the file. */
  airports: Record<string, number>
  seen?: { report: KeptReport; preview: ImportPreview }
  /** Whose flights they are has to be told first. */
  asks?: { sentence: string; users: readonly string[] }
  done?: KeptReport
}

export const kept = ({ rejected, dryRun: _, ...counts }: ImportReport): KeptReport => ({
  ...counts,
  rejected: rejected.slice(0, MOST_REJECTED),
  leftOut: rejected.length,
})

/** The choices as the parameters of an import; what does not belong together is left out. */
export function orderOf({ format, choices, airports }: ImportNote) {
  const { fileUser, mode, others } = choices
  const query = ImportQuery.parse({
    format,
    ...(mode === 'restore' ? { mode } : { ...(fileUser && { fileUser }) }),
    ...(others && { mineOnly: 'false' }),
  })
  return { ...query, airports }
}

/** Looks at the file under these choices: what would become of it, or what has to be told first. */
export async function lookedAt(
  { imports }: PageContext,
  caller: Caller,
  content: Buffer,
  { seen: _, asks: __, ...note }: ImportNote,
): Promise<ImportNote> {
  try {
    const { report, preview } = await imports.look(caller, content, orderOf(note))
    return { ...note, seen: { report: kept(report), preview } }
  } catch (error) {
    if (!(error instanceof UserNotChosen) || error.users.length === 0) throw error
    const sentence = 'This backup holds the flights of several people, and none of them has your name here.'
    return { ...note, asks: { sentence, users: error.users } }
  }
}

const elsewhere = {
  mode: 'Only a backup can be restored. Choose your own log for this file.',
  fileUser: 'Only a backup holds several people. Leave this empty for this file.',
  mineOnly: 'This file does not tell whose flights they are. Leave this out.',
}

/** What can be mended by another file or another choice, beside its field. */
export function faultsOfFile(error: unknown): Faults | undefined {
  if (error instanceof ParameterMismatch) {
    return Object.fromEntries(error.names.map((name) => [name === 'mineOnly' ? 'others' : name, elsewhere[name]]))
  }
  if (error instanceof UserNotChosen && error.users.length > 0) return { fileUser: error.message }
  const isMendable = error instanceof AppError && ['validation_failed', 'bad_request'].includes(error.code)
  return isMendable ? { file: error.message } : undefined
}
