import type { ComponentChildren, JSX } from 'preact'
import { type FieldErrors, type FieldSpec, type FieldSpecs, type FormValues, specText } from '../framework/forms.ts'
import { useTexts } from '../framework/localization.ts'
import { Choice, describedBy, Field, type FieldProps, Notes, SelectField, TextArea } from './fields.tsx'

interface Overrides {
  hint?: ComponentChildren
  autofocus?: boolean
  options?: FieldSpec['options']
  words?: ComponentChildren
}

type Input = JSX.IntrinsicElements['input']

function inputOf({ type, required, maxLength, verbatim, autocomplete = 'off' }: FieldSpec, value: string): Input {
  return {
    type: type === undefined || type === 'number' ? 'text' : type,
    ...(type === 'number' && { inputMode: 'decimal' }),
    // A password is never sent back.
    ...(type !== 'password' && { value }),
    required,
    maxLength,
    autocomplete,
    ...(verbatim && { autocapitalize: 'none', spellcheck: false }),
  } as Input
}

interface SpecFieldProps {
  name: string
  spec: FieldSpec
  value: string
  fieldError: string | undefined
  overrides: Overrides
}

function SpecField({ name, spec, value, fieldError, overrides }: SpecFieldProps) {
  const texts = useTexts()
  const { id, sent = name } = spec
  const label = specText(spec.label, texts)
  const hint = overrides.hint ?? (spec.hint && specText(spec.hint, texts))
  const common = { id, label, name: sent, fieldError, hint }
  if (spec.kind === 'area') return <TextArea {...common} area={{ rows: spec.rows ?? 4 }} value={value} />
  if (spec.kind === 'select') {
    const options = overrides.options ?? spec.options ?? []
    return <SelectField {...common} value={value} options={typeof options === 'function' ? options(texts) : options} />
  }
  if (spec.kind === 'box') {
    return (
      <Choice name={sent} value="on" checked={value === 'true'}>
        {overrides.words ?? label}
      </Choice>
    )
  }
  return <Field {...common} input={{ ...inputOf(spec, value), autofocus: overrides.autofocus }} />
}

export function formFields<Specs extends FieldSpecs>(specs: Specs, typed: FormValues<Specs>, fieldErrors: FieldErrors) {
  return (name: keyof Specs & string, overrides: Overrides = {}): JSX.Element => (
    <SpecField
      key={name}
      name={name}
      spec={specs[name]!}
      value={String(typed[name])}
      fieldError={fieldErrors[name]}
      overrides={overrides}
    />
  )
}

interface FormProps extends Omit<JSX.IntrinsicElements['form'], 'hidden'> {
  /** Hidden fields; null and undefined are omitted. */
  hidden?: Readonly<Record<string, string | null | undefined>>
  children?: ComponentChildren
}

export const Form = ({ hidden = {}, children, ...form }: FormProps) => (
  <form {...form}>
    {/* Before any file, so that the CSRF token is checked before the file is read. */}
    {Object.entries(hidden).map(
      ([name, value]) => value != null && <input key={name} type="hidden" name={name} value={value} />,
    )}
    {children}
  </form>
)

interface PostProps extends FormProps {
  action: string
  csrf: string
  next?: string | undefined
  /** The label of the button, or several buttons. */
  submit: ComponentChildren
  plain?: boolean
}

/** The server validates the fields, not the browser. */
export const PostForm = ({ csrf, next, hidden, submit, plain, children, ...form }: PostProps) => (
  <Form
    method="post"
    noValidate
    class={plain ? undefined : 'card'}
    hidden={{ csrf, next: next || null, ...hidden }}
    {...form}
  >
    {children}
    <p class="actions">
      {typeof submit === 'string' ? (
        <button class="primary" type="submit">
          {submit}
        </button>
      ) : (
        submit
      )}
    </p>
  </Form>
)

export const SearchForm = ({ action, submit, children }: Pick<PostProps, 'action' | 'submit' | 'children'>) => (
  <search>
    <Form class="search" method="get" action={action}>
      {children}
      <button type="submit">{submit}</button>
    </Form>
  </search>
)

type ButtonProps = Pick<PostProps, 'action' | 'csrf' | 'next' | 'class' | 'children'>

export const ButtonForm = ({ action, csrf, next, class: name, children }: ButtonProps) => (
  <Form method="post" action={action} hidden={{ csrf, next: next || null }}>
    <button class={name} type="submit">
      {children}
    </button>
  </Form>
)

interface DangerProps extends Pick<PostProps, 'action' | 'csrf' | 'hidden' | 'children'> {
  summary: ComponentChildren
  button: string
  open?: boolean
}

/** For actions that cannot be undone: folded, with an explanation above the button. */
export const DangerForm = ({ action, csrf, hidden, summary, button, open, children }: DangerProps) => (
  <details class="danger" open={open}>
    <summary class="fold bad">{summary}</summary>
    <Form method="post" action={action} noValidate hidden={{ csrf, ...hidden }}>
      {children}
      <button class="danger" type="submit">
        {button}
      </button>
    </Form>
  </details>
)

interface BoxesProps extends Omit<FieldProps, 'name'> {
  class?: string
  children: ComponentChildren
}

export const Boxes = ({ id, label, fieldError, hint, class: name, children }: BoxesProps) => (
  <fieldset
    id={id}
    tabIndex={-1}
    class={[name, fieldError && 'invalid'].filter(Boolean).join(' ') || undefined}
    aria-describedby={describedBy({ id, hint, fieldError })}
  >
    <legend>{label}</legend>
    <Notes id={id} hint={hint} fieldError={fieldError} />
    {children}
  </fieldset>
)

interface ChoiceGroupsProps {
  name: string
  groups: readonly { title: string; choices: readonly { value: string; words: ComponentChildren }[] }[]
  chosen: ReadonlySet<string>
}

export const ChoiceGroups = ({ name, groups, chosen }: ChoiceGroupsProps) => (
  <div class="groups">
    {groups.map(({ title, choices }) => (
      <fieldset key={title}>
        <legend>{title}</legend>
        {choices.map(({ value, words }) => (
          <Choice key={value} name={name} value={value} checked={chosen.has(value)}>
            {words}
          </Choice>
        ))}
      </fieldset>
    ))}
  </div>
)
