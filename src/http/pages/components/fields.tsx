import type { ComponentChildren, JSX } from 'preact'
import { type FieldErrors, type SpecText, specText } from '../framework/forms.ts'
import { useTexts } from '../framework/localization.ts'

export interface FieldProps {
  id: string
  name: string
  label: string
  fieldError?: string | undefined
  hint?: ComponentChildren
}

interface ControlProps {
  id: string
  name: string | undefined
  'aria-describedby': string | undefined
  'aria-invalid': 'true' | undefined
}

type NotesProps = Pick<FieldProps, 'id' | 'hint' | 'fieldError'>

export const describedBy = ({ id, hint, fieldError }: NotesProps): string | undefined =>
  [hint ? `${id}-hint` : '', fieldError ? `${id}-error` : ''].filter(Boolean).join(' ') || undefined

export const Notes = ({ id, hint, fieldError }: NotesProps) => (
  <>
    {hint && (
      <p class="hint" id={`${id}-hint`}>
        {hint}
      </p>
    )}
    {fieldError && (
      <p class="field-error" id={`${id}-error`}>
        {fieldError}
      </p>
    )}
  </>
)

interface LabelledProps extends Omit<FieldProps, 'label' | 'name'> {
  /** Absent if the form must not send the value. */
  name?: string
  label: ComponentChildren
  /** Hides the label visually. */
  unlabelled?: boolean
  class?: string
  children: (control: ControlProps) => JSX.Element
}

export const Labelled = ({ name, label, unlabelled, class: own = 'field', children, ...notes }: LabelledProps) => (
  <div class={notes.fieldError ? `${own} invalid` : own}>
    <label for={notes.id} class={unlabelled ? 'unseen' : undefined}>
      {label}
    </label>
    <Notes {...notes} />
    {children({
      id: notes.id,
      name,
      'aria-describedby': describedBy(notes),
      'aria-invalid': notes.fieldError ? 'true' : undefined,
    })}
  </div>
)

type ControlFieldProps = Omit<LabelledProps, 'children'>

export const Field = ({ input, ...field }: ControlFieldProps & { input: JSX.IntrinsicElements['input'] }) => (
  <Labelled {...field}>{(control) => <input {...input} {...control} />}</Labelled>
)

interface SelectProps extends ControlFieldProps {
  value: string
  options: readonly { value: string; label: string }[]
  select?: JSX.IntrinsicElements['select']
}

export const SelectField = ({ value, options, select, ...field }: SelectProps) => (
  <Labelled {...field}>
    {(control) => (
      <select {...select} {...control}>
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    )}
  </Labelled>
)

type AreaProps = ControlFieldProps & { value: string; area: JSX.IntrinsicElements['textarea'] }

/** Starts with a line break, because browsers drop the first one. */
export const TextArea = ({ value, area, ...field }: AreaProps) => (
  <Labelled {...field}>{(control) => <textarea {...area} {...control}>{`\n${value}`}</textarea>}</Labelled>
)

interface ChoiceProps {
  name: string
  value: string
  checked: boolean
  type?: 'checkbox' | 'radio'
  children: ComponentChildren
}

export const Choice = ({ name, value, checked, type = 'checkbox', children }: ChoiceProps) => (
  <label class="choice">
    <input type={type} name={name} value={value} checked={checked} />
    <span>{children}</span>
  </label>
)

interface SummaryProps {
  fieldErrors: FieldErrors
  fields: Record<string, { id: string; label: SpecText }>
}

export function ErrorSummary({ fieldErrors, fields: own }: SummaryProps) {
  const texts = useTexts()
  const t = texts.forms
  const fields: SummaryProps['fields'] = { form: { id: 'content', label: t.notPossible }, ...own }
  const found = Object.entries(fieldErrors)
  if (found.length === 0) return null
  return (
    <div class="summary" role="alert">
      <p>
        <strong>{t.fixFollowing}</strong>
      </p>
      <ul>
        {found.map(([name, message]) => (
          <li key={name}>
            <a href={`#${fields[name]?.id ?? 'content'}`}>
              {t.fieldError({ label: specText(fields[name]?.label ?? name, texts), message })}
            </a>
          </li>
        ))}
      </ul>
    </div>
  )
}
