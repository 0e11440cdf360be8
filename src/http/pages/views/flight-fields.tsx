import type { ComponentChildren } from 'preact'
import { flightSpecs } from '../flight-form/fields.ts'
import { readForm } from '../forms.ts'
import type { FormProps } from './custom-input.tsx'
import { formFields } from './forms.tsx'

/** Draws the plain fields of a flight by their names. */
export const plainFields = ({ form, faults }: FormProps) => formFields(flightSpecs, readForm(flightSpecs, form), faults)

/** Whether one of these fields holds something, or something is wrong with it. */
export const isUsed = ({ form, faults }: FormProps, names: readonly string[]): boolean =>
  names.some(
    (name) =>
      faults[name] !== undefined ||
      ['', '.clock', '.day'].some((part) => form.getAll(name + part).some((text) => text)),
  )

interface FoldProps {
  title: string
  open: boolean
  children: ComponentChildren
}

/** What not everybody keeps: folded under its heading until it holds something. */
export function Fold({ title, open, children }: FoldProps) {
  return (
    <details class="card unfolding" open={open}>
      <summary>
        <h2>{title}</h2>
      </summary>
      {children}
    </details>
  )
}
