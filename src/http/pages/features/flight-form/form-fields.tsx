import type { ComponentChildren } from 'preact'
import { formFields } from '../../components/forms.tsx'
import { readForm } from '../../framework/forms.ts'
import type { FormProps } from './custom-input.tsx'
import { flightSpecs } from './fields.ts'

/** Draws the plain fields of a flight by their names. */
export const plainFields = ({ form, faults }: FormProps) => formFields(flightSpecs, readForm(flightSpecs, form), faults)

/** Whether something is wrong with one of these fields, or one of the parts of a field. */
export const isFaulty = ({ faults }: FormProps, names: readonly string[]): boolean =>
  Object.keys(faults).some((name) => names.some((each) => name === each || name.startsWith(`${each}.`)))

/** Whether one of these fields holds something, or something is wrong with it. */
export const isUsed = ({ form, faults }: FormProps, names: readonly string[]): boolean =>
  names.some(
    (name) =>
      faults[name] !== undefined ||
      ['', '.clock', '.day'].some((part) => form.getAll(name + part).some((text) => text)),
  )

const MOST_TOLD = 100

/** What a fold holds, in a line. */
function summaryOf(values: readonly (string | null | undefined)[]): string {
  const words = values.flatMap((value) => value?.slice(0, MOST_TOLD).replace(/\s+/g, ' ').trim() || [])
  const line = words.join(' · ')
  return line.length > MOST_TOLD ? `${line.slice(0, MOST_TOLD)} …` : line
}

interface FoldProps {
  title: string
  open: boolean
  /** What it holds; said where it is folded, as a phone does with what has values and no fault. */
  holds?: readonly (string | null | undefined)[]
  /** Whether something in it is to be done. */
  asks?: boolean
  children: ComponentChildren
}

/** What not everybody keeps: folded under its heading until it holds something. */
export function Fold({ title, open, holds = [], asks = false, children }: FoldProps) {
  const summary = summaryOf(holds)
  return (
    <details class="card unfolding" open={open} {...(summary && !asks && { 'data-fold': 'phone' })}>
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
