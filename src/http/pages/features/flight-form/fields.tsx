import type { ComponentChildren } from 'preact'
import { formFields } from '../../components/forms.tsx'
import type { LookupKind } from '../../components/lookup.ts'
import { formSpecs, readForm } from '../../framework/forms.ts'
import type { FormTexts, Reading } from './reading.ts'

/** The fields without a component of their own. */
const flightSpecs = ({ fields, ...t }: FormTexts) =>
  formSpecs({
    flightNumber: { id: 'flightNumber', label: fields.flightNumber, verbatim: true },
    date: { id: 'date', label: fields.date, type: 'date', required: true },
    datePrecision: {
      id: 'datePrecision',
      label: fields.datePrecision,
      hint: t.precisionHint,
      kind: 'select',
      options: (['day', 'month', 'year'] as const).map((value) => ({ value, label: t.precisions[value] })),
    },
    aircraftReg: { id: 'aircraftReg', label: fields.aircraftReg, verbatim: true },
    departureTerminal: { id: 'departureTerminal', label: fields.departureTerminal },
    departureGate: { id: 'departureGate', label: fields.departureGate },
    arrivalTerminal: { id: 'arrivalTerminal', label: fields.arrivalTerminal },
    arrivalGate: { id: 'arrivalGate', label: fields.arrivalGate },
    duration: { id: 'duration', label: fields.duration, hint: t.durationHint },
    note: { id: 'note', label: fields.note, kind: 'area' },
  })

export interface FormProps extends Pick<Reading, 'form' | 'fieldErrors' | 'choices'> {
  basePath: string
  canCreate: (kind: LookupKind) => boolean
}

export function plainFields({ form, fieldErrors }: FormProps, t: FormTexts) {
  const specs = flightSpecs(t)
  return formFields(specs, readForm(specs, form), fieldErrors)
}

/** Whether one of the fields, or a part of one, has an error. */
export const hasError = ({ fieldErrors }: FormProps, names: readonly string[]): boolean =>
  Object.keys(fieldErrors).some((name) => names.some((each) => name === each || name.startsWith(`${each}.`)))

/** Whether one of the fields has a value or an error. */
export const isUsed = ({ form, fieldErrors }: FormProps, names: readonly string[]): boolean =>
  names.some(
    (name) => fieldErrors[name] || ['', '.clock', '.day'].some((part) => form.getAll(name + part).some(Boolean)),
  )

const MAX_SUMMARY_LENGTH = 100

function summarize(values: readonly (string | null)[]): string {
  const words = values.flatMap((value) => value?.slice(0, MAX_SUMMARY_LENGTH).replace(/\s+/g, ' ').trim() || [])
  const line = words.join(' · ')
  return line.length > MAX_SUMMARY_LENGTH ? `${line.slice(0, MAX_SUMMARY_LENGTH)} …` : line
}

interface FoldProps {
  title: string
  open: boolean
  /** Summarized in the heading. Phones fold a section with values and without errors. */
  values?: readonly (string | null)[]
  needsAttention?: boolean
  children: ComponentChildren
}

export function Fold({ title, open, values = [], needsAttention = false, children }: FoldProps) {
  const summary = summarize(values)
  return (
    <details class="card unfolding" open={open} {...(summary && !needsAttention && { 'data-fold': 'phone' })}>
      <summary>
        <h2>{title}</h2>
        {summary && (
          <span class="quiet holds" dir="auto">
            {summary}
          </span>
        )}
      </summary>
      {children}
    </details>
  )
}
