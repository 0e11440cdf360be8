import type { ComponentChildren, JSX } from 'preact'
import type { Faults } from '../framework/forms.ts'

export interface FieldProps {
  id: string
  name: string
  label: string
  fault?: string | undefined
  hint?: ComponentChildren
}

/** What ties a control to its label, its hint and its fault. */
interface Ties {
  id: string
  name: string | undefined
  'aria-describedby': string | undefined
  'aria-invalid': 'true' | undefined
}

type NotesProps = Pick<FieldProps, 'id' | 'hint' | 'fault'>

/** What is read out with a field: its hint and its fault, where it has them. */
export const describedBy = ({ id, hint, fault }: NotesProps): string | undefined =>
  [hint ? `${id}-hint` : '', fault ? `${id}-fault` : ''].filter(Boolean).join(' ') || undefined

export function Notes({ id, hint, fault }: NotesProps) {
  return (
    <>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault && (
        <p class="fault" id={`${id}-fault`}>
          {fault}
        </p>
      )}
    </>
  )
}

interface LabelledProps extends Omit<FieldProps, 'label' | 'name'> {
  /** Absent where nothing of it may be sent by the form itself. */
  name?: string
  label: ComponentChildren
  /** Whether the label is only read out. */
  unlabelled?: boolean
  class?: string
  children: (ties: Ties) => JSX.Element
}

/** A labelled control with its hint and its fault beside it, and both read out with it. */
export function Labelled({ id, name, label, unlabelled, fault, hint, class: own = 'field', children }: LabelledProps) {
  return (
    <div class={fault ? `${own} faulty` : own}>
      <label for={id} class={unlabelled ? 'unseen' : undefined}>
        {label}
      </label>
      <Notes id={id} hint={hint} fault={fault} />
      {children({
        id,
        name,
        'aria-describedby': describedBy({ id, hint, fault }),
        'aria-invalid': fault ? 'true' : undefined,
      })}
    </div>
  )
}

type Drawn = Omit<LabelledProps, 'children'>

export function Field({ input, ...field }: Drawn & { input: JSX.IntrinsicElements['input'] }) {
  return <Labelled {...field}>{(ties) => <input {...input} {...ties} />}</Labelled>
}

interface SelectProps extends Drawn {
  value: string
  options: readonly { value: string; label: string }[]
  select?: JSX.IntrinsicElements['select']
}

export function SelectField({ value, options, select, ...field }: SelectProps) {
  return (
    <Labelled {...field}>
      {(ties) => (
        <select {...select} {...ties}>
          {options.map((option) => (
            <option key={option.value} value={option.value} selected={option.value === value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  )
}

export function TextArea({
  value,
  area,
  ...field
}: Drawn & { value: string; area: JSX.IntrinsicElements['textarea'] }) {
  // A browser drops the first line end of a text area, so that one of our own goes before the text.
  return <Labelled {...field}>{(ties) => <textarea {...area} {...ties}>{`\n${value}`}</textarea>}</Labelled>
}

interface ChoiceProps {
  name: string
  value: string
  checked: boolean
  children: ComponentChildren
}

/** A box to tick, with its words behind it. */
export function Choice({ name, value, checked, children }: ChoiceProps) {
  return (
    <label class="choice">
      <input type="checkbox" name={name} value={value} checked={checked} />
      <span>{children}</span>
    </label>
  )
}

interface SummaryProps {
  faults: Faults
  /** Where each field is and what it is called. */
  fields: Record<string, { id: string; label: string }>
}

/** What is wrong with the whole form stands above it. */
const wholeForm = { id: 'content', label: 'Not possible' }

/** All faults in one place, with links to their fields. */
export function FaultSummary({ faults, fields: own }: SummaryProps) {
  const fields: SummaryProps['fields'] = { form: wholeForm, ...own }
  const found = Object.entries(faults)
  if (found.length === 0) return null
  return (
    <div class="summary" role="alert">
      <p>
        <strong>{found.length === 1 ? 'One thing needs to be changed:' : 'These things need to be changed:'}</strong>
      </p>
      <ul>
        {found.map(([name, message]) => (
          <li key={name}>
            <a href={`#${fields[name]?.id ?? 'content'}`}>
              {fields[name]?.label ?? name}: {message}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
