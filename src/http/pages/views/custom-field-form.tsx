import type { CustomField } from '../../../domain/custom-fields/contract.ts'
import type { FieldEntries } from '../custom-field-form.ts'
import { Choice, type Faults, Field, Hidden, SelectField, TextArea } from './fields.tsx'

export const entityWords: Record<CustomField['entityType'], string> = {
  flight: 'Flights',
  flight_passenger: 'Passengers',
}

export const typeWords: Record<CustomField['fieldType'], string> = {
  text: 'Text',
  textarea: 'Long text',
  number: 'Number',
  boolean: 'Yes or no',
  date: 'Day',
  select: 'One of several options',
  'multi-select': 'Several of several options',
  airport: 'Airport',
  airline: 'Airline',
  aircraft: 'Aircraft type',
}

export const customFieldFields = {
  entityType: { id: 'entity', label: 'Belongs to' },
  key: { id: 'key', label: 'Key' },
  fieldType: { id: 'type', label: 'Type' },
  label: { id: 'label', label: 'Label' },
  description: { id: 'description', label: 'Description' },
  order: { id: 'order', label: 'Order' },
  options: { id: 'options', label: 'Options' },
  defaultValue: { id: 'default', label: 'Default' },
  regex: { id: 'regex', label: 'Pattern' },
  min: { id: 'min', label: 'Smallest number' },
  max: { id: 'max', label: 'Largest number' },
  minLength: { id: 'min-length', label: 'Least characters' },
  maxLength: { id: 'max-length', label: 'Most characters' },
  form: { id: 'content', label: 'Not possible' },
}

const optionsOf = (words: Record<string, string>) => Object.entries(words).map(([value, label]) => ({ value, label }))

interface Props {
  action: string
  csrf: string
  entries: FieldEntries
  /** What a field is stays as it was made; only a new one is asked for it. */
  isNew: boolean
  submit: string
  faults: Faults
}

type PartProps = Pick<Props, 'entries' | 'faults'>

function Identity({ entries, faults }: PartProps) {
  const fields = customFieldFields
  return (
    <div class="pairs">
      <SelectField
        {...fields.entityType}
        name="entityType"
        fault={faults.entityType}
        value={entries.entityType}
        options={optionsOf(entityWords)}
      />
      <SelectField
        {...fields.fieldType}
        name="fieldType"
        fault={faults.fieldType}
        value={entries.fieldType}
        options={optionsOf(typeWords)}
      />
      <Field
        {...fields.key}
        name="key"
        fault={faults.key}
        hint="Its name in the API: a–z, 0–9 and underscores. It cannot change later."
        input={{ type: 'text', value: entries.key, required: true, autocomplete: 'off', autocapitalize: 'none' }}
      />
    </div>
  )
}

const number = (value: string) => ({ type: 'text', inputMode: 'decimal', value, autocomplete: 'off' }) as const

/** Which limits a type knows. */
const limitsOf: Partial<Record<string, 'text' | 'number'>> = { text: 'text', textarea: 'text', number: 'number' }

/** For a new field all limits are there, since its type is only being chosen; a stored one is never hidden. */
function Limits({ entries, faults, isNew }: PartProps & Pick<Props, 'isNew'>) {
  const fields = customFieldFields
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
      {forText && (
        <>
          <Field
            {...fields.regex}
            name="regex"
            fault={faults.regex}
            hint="A regular expression, such as ^[A-Z]{6}$"
            input={{ type: 'text', value: entries.regex, autocomplete: 'off', spellcheck: false }}
          />
          <div class="pairs">
            <Field {...fields.minLength} name="minLength" fault={faults.minLength} input={number(entries.minLength)} />
            <Field {...fields.maxLength} name="maxLength" fault={faults.maxLength} input={number(entries.maxLength)} />
          </div>
        </>
      )}
      {forNumber && (
        <div class="pairs">
          <Field {...fields.min} name="min" fault={faults.min} input={number(entries.min)} />
          <Field {...fields.max} name="max" fault={faults.max} input={number(entries.max)} />
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

const hasOptions = (fieldType: string) => fieldType === 'select' || fieldType === 'multi-select'

export function CustomFieldForm({ action, csrf, entries, isNew, submit, faults }: Props) {
  const fields = customFieldFields
  return (
    <form method="post" action={action} noValidate class="card">
      <Hidden csrf={csrf} />
      <div class="pairs">
        <Field
          {...fields.label}
          name="label"
          fault={faults.label}
          hint="What people see beside the field."
          input={{ type: 'text', value: entries.label, required: true, autocomplete: 'off' }}
        />
        <Field
          {...fields.description}
          name="description"
          fault={faults.description}
          hint="A hint for those who fill it in."
          input={{ type: 'text', value: entries.description, autocomplete: 'off' }}
        />
      </div>
      {isNew && <Identity entries={entries} faults={faults} />}
      <div class="pairs">
        {(isNew || hasOptions(entries.fieldType)) && (
          <TextArea
            {...fields.options}
            name="options"
            fault={faults.options}
            hint={isNew ? 'One a line, for the two types with options; empty for all others.' : 'One a line.'}
            rows={4}
            value={entries.options}
          />
        )}
        <TextArea
          {...fields.defaultValue}
          name="defaultValue"
          fault={faults.defaultValue}
          hint={`Filled in where nothing is given${isNew ? anyDefault : (defaults[entries.fieldType] ?? '')}.`}
          rows={2}
          value={entries.defaultValue}
        />
      </div>
      <Limits entries={entries} faults={faults} isNew={isNew} />
      <Field
        {...fields.order}
        name="order"
        fault={faults.order}
        hint="Smaller numbers come first."
        input={number(entries.order)}
      />
      <Choice name="required" value="true" checked={entries.required}>
        It must be filled in
      </Choice>
      <Choice name="active" value="true" checked={entries.active}>
        It is in use; without this its values are kept but not shown
      </Choice>
      <p class="actions">
        <button class="primary" type="submit">
          {submit}
        </button>
      </p>
    </form>
  )
}
