import { formFields, PostForm } from '../../components/forms.tsx'
import type { Faults } from '../../framework/forms.ts'
import { customFieldSpecs, type FieldEntries } from './custom-field-form.ts'

interface Props {
  action: string
  csrf: string
  entries: FieldEntries
  /** What a field is stays as it was made; only a new one is asked for it. */
  isNew: boolean
  submit: string
  faults: Faults
}

/** Which limits a type knows. */
const limitsOf: Partial<Record<string, 'text' | 'number'>> = { text: 'text', textarea: 'text', number: 'number' }

/** For a new field all limits are there, since its type is only being chosen; a stored one is never hidden. */
function Limits({ entries, faults, isNew }: Pick<Props, 'entries' | 'faults' | 'isNew'>) {
  const field = formFields(customFieldSpecs, entries, faults)
  const kind = limitsOf[entries.fieldType]
  const forText = isNew || kind === 'text' || Boolean(entries.regex || entries.minLength || entries.maxLength)
  const forNumber = isNew || kind === 'number' || Boolean(entries.min || entries.max)
  if (!forText && !forNumber) return null
  return (
    <fieldset>
      <legend>Limits</legend>
      <p class="hint">
        All may be left empty.{isNew && ' Pattern and characters count for texts, the numbers for numbers.'}
      </p>
      {forText && field('regex')}
      {forText && (
        <div class="pairs">
          {field('minLength')}
          {field('maxLength')}
        </div>
      )}
      {forNumber && (
        <div class="pairs">
          {field('min')}
          {field('max')}
        </div>
      )}
    </fieldset>
  )
}

/** How a default is written, where that is not plain. */
const defaults: Record<string, string> = {
  boolean: ': yes or no',
  date: ': a day as 2025-05-03',
  select: ': one of the options',
  'multi-select': ': some of the options, one a line',
  airport: ': a code such as EKCH',
  airline: ': a code such as SAS',
  aircraft: ': a code such as A320',
}
const anyDefault = ': yes or no, a day as 2025-05-03, an option (several: one a line), a code such as EKCH'
const anyOptions = 'One a line, for the two types with options; empty for all others.'

const hasOptions = (fieldType: string) => fieldType === 'select' || fieldType === 'multi-select'

export function CustomFieldForm({ action, csrf, entries, isNew, submit, faults }: Props) {
  const field = formFields(customFieldSpecs, entries, faults)
  const written = isNew ? anyDefault : (defaults[entries.fieldType] ?? '')
  return (
    <PostForm action={action} csrf={csrf} submit={submit}>
      <div class="pairs">
        {field('label')}
        {field('description')}
      </div>
      {isNew && (
        <div class="pairs">
          {field('entityType')}
          {field('fieldType')}
          {field('key')}
        </div>
      )}
      <div class="pairs">
        {(isNew || hasOptions(entries.fieldType)) && field('options', isNew ? { hint: anyOptions } : {})}
        {field('defaultValue', { hint: `Filled in where nothing is given${written}.` })}
      </div>
      <Limits entries={entries} faults={faults} isNew={isNew} />
      {field('order')}
      {field('required')}
      {field('active')}
    </PostForm>
  )
}
