import type { ComponentChildren, JSX } from 'preact'
import type { Faults, FieldSpec, FieldSpecs, Option, Typed } from '../framework/forms.ts'
import { Choice, describedBy, Field, Notes, SelectField, TextArea } from './fields.tsx'

/** What one page says otherwise than the declaration of a field. */
interface More {
  hint?: ComponentChildren
  autofocus?: boolean
  options?: readonly Option[]
  /** Stands behind a box. */
  words?: ComponentChildren
}

type Input = JSX.IntrinsicElements['input']

function inputOf({ type, required, maxLength, verbatim, autocomplete = 'off' }: FieldSpec, value: string): Input {
  return {
    type: type === undefined || type === 'number' ? 'text' : type,
    ...(type === 'number' && { inputMode: 'decimal' as const }),
    // A password is never sent back.
    ...(type !== 'password' && { value }),
    required,
    maxLength,
    autocomplete,
    ...(verbatim && { autocapitalize: 'none' as const, spellcheck: false }),
  } as Input
}

/** Draws the fields of a form by their names, with what was typed and what is wrong. */
export function formFields<Specs extends FieldSpecs>(specs: Specs, typed: Typed<Specs>, faults: Faults) {
  return function field(name: keyof Specs & string, more: More = {}): JSX.Element {
    const spec: FieldSpec = specs[name]!
    const { id, label, sent = name } = spec
    const common = { id, label, name: sent, fault: faults[name], hint: more.hint ?? spec.hint }
    const value = String(typed[name])
    if (spec.kind === 'area') return <TextArea {...common} area={{ rows: spec.rows ?? 4 }} value={value} />
    if (spec.kind === 'select') {
      return <SelectField {...common} value={value} options={more.options ?? spec.options ?? []} />
    }
    if (spec.kind === 'box') {
      return (
        <Choice name={sent} value="on" checked={value === 'true'}>
          {more.words ?? label}
        </Choice>
      )
    }
    return <Field {...common} input={{ ...inputOf(spec, value), autofocus: more.autofocus }} />
  }
}

interface FormProps extends Omit<JSX.IntrinsicElements['form'], 'hidden'> {
  /** What it sends beside what is seen of it, where there is a value. */
  hidden?: Readonly<Record<string, string | null | undefined>>
  children: ComponentChildren
}

/** The element of every form. */
export function Form({ hidden = {}, children, ...form }: FormProps) {
  return (
    <form {...form}>
      {/* Before any file, so that the CSRF token is judged before a part of the file is kept. */}
      {Object.entries(hidden).map(
        ([name, value]) => value != null && <input key={name} type="hidden" name={name} value={value} />,
      )}
      {children}
    </form>
  )
}

interface PostProps extends FormProps {
  action: string
  csrf: string
  /** Where to go on after signing in. */
  next?: string | undefined
  /** What its button says; or its buttons, where it has several. */
  submit: ComponentChildren
  /** It is no card of its own. */
  plain?: boolean
}

/** What is wrong is told by the server, field by field, unless a page says otherwise. */
export function PostForm({ csrf, next, hidden, submit, plain, children, ...form }: PostProps) {
  return (
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
}

/** Looks for something: the address that it leads to holds what was asked. */
export function SearchForm({ action, submit, children }: Pick<PostProps, 'action' | 'submit' | 'children'>) {
  return (
    <search>
      <Form class="search" method="get" action={action}>
        {children}
        <button type="submit">{submit}</button>
      </Form>
    </search>
  )
}

interface ButtonProps extends Pick<PostProps, 'action' | 'csrf' | 'next' | 'children'> {
  class?: string
}

/** A form that is nothing but its button. */
export function ButtonForm({ action, csrf, next, class: name, children }: ButtonProps) {
  return (
    <Form method="post" action={action} hidden={{ csrf, next: next || null }}>
      <button class={name} type="submit">
        {children}
      </button>
    </Form>
  )
}

interface DangerProps extends Pick<PostProps, 'action' | 'csrf' | 'hidden' | 'children'> {
  summary: ComponentChildren
  button: string
  open?: boolean
}

/** What cannot be taken back: folded away, and what goes with it told before the button. */
export function DangerForm({ action, csrf, hidden, summary, button, open, children }: DangerProps) {
  return (
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
}

interface BoxesProps {
  id: string
  label: string
  fault?: string | undefined
  hint?: ComponentChildren
  class?: string
  children: ComponentChildren
}

/** Several controls that are one field: named and described together, and reached by the link of its fault. */
export function Boxes({ id, label, fault, hint, class: name, children }: BoxesProps) {
  return (
    <fieldset
      id={id}
      tabIndex={-1}
      class={[name, fault && 'faulty'].filter(Boolean).join(' ') || undefined}
      aria-describedby={describedBy({ id, hint, fault })}
    >
      <legend>{label}</legend>
      <Notes id={id} hint={hint} fault={fault} />
      {children}
    </fieldset>
  )
}

interface ChoiceGroupsProps {
  name: string
  groups: readonly { title: string; choices: readonly { value: string; words: ComponentChildren }[] }[]
  chosen: ReadonlySet<string>
}

/** Many boxes of one name, in groups. */
export function ChoiceGroups({ name, groups, chosen }: ChoiceGroupsProps) {
  return (
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
}
