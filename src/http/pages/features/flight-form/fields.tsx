import type { ComponentChildren } from 'preact'
import { formFields } from '../../components/forms.tsx'
import type { LookupKind } from '../../components/lookup.ts'
import { formSpecs, readForm } from '../../framework/forms.ts'
import type { Reading } from './reading.ts'

/** The fields without a component of their own. */
export const flightSpecs = formSpecs({
  flightNumber: { id: 'flightNumber', label: 'Flight number', verbatim: true },
  date: { id: 'date', label: 'Date', type: 'date', required: true },
  datePrecision: {
    id: 'datePrecision',
    label: 'Date precision',
    hint: 'For a month or a year, enter any day in it.',
    kind: 'select',
    options: [
      { value: 'day', label: 'Exact day' },
      { value: 'month', label: 'Month only' },
      { value: 'year', label: 'Year only' },
    ],
  },
  aircraftReg: { id: 'aircraftReg', label: 'Registration', verbatim: true },
  departureTerminal: { id: 'departureTerminal', label: 'Departure terminal' },
  departureGate: { id: 'departureGate', label: 'Departure gate' },
  arrivalTerminal: { id: 'arrivalTerminal', label: 'Arrival terminal' },
  arrivalGate: { id: 'arrivalGate', label: 'Arrival gate' },
  duration: {
    id: 'duration',
    label: 'Duration',
    hint: 'Hours and minutes, such as 2:55. Leave empty to calculate it from departure and arrival.',
  },
  note: { id: 'note', label: 'Note', kind: 'area' },
})

export interface FormProps extends Pick<Reading, 'form' | 'faults' | 'choices'> {
  basePath: string
  canCreate: (kind: LookupKind) => boolean
}

export const plainFields = ({ form, faults }: FormProps) => formFields(flightSpecs, readForm(flightSpecs, form), faults)

/** Whether one of the fields, or a part of one, has an error. */
export const hasError = ({ faults }: FormProps, names: readonly string[]): boolean =>
  Object.keys(faults).some((name) => names.some((each) => name === each || name.startsWith(`${each}.`)))

/** Whether one of the fields has a value or an error. */
export const isUsed = ({ form, faults }: FormProps, names: readonly string[]): boolean =>
  names.some((name) => faults[name] || ['', '.clock', '.day'].some((part) => form.getAll(name + part).some(Boolean)))

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
