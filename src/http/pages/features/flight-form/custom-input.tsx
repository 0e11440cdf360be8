import type { CustomField } from '../../../../domain/custom-fields/contract.ts'
import { Choice, Field, type FieldProps, SelectField, TextArea } from '../../components/fields.tsx'
import { Boxes } from '../../components/forms.tsx'
import type { LookupKind } from '../../components/lookup.ts'
import { LookupField } from '../../components/lookup-field.tsx'
import { NONE } from '../../components/seat.ts'
import { customName, isLookup } from './custom-values.ts'
import type { Reading } from './reading.ts'

/** What every field of the form is drawn from. */
export interface FormProps extends Pick<Reading, 'form' | 'faults' | 'choices'> {
  basePath: string
  /** Whether the person may make records of a kind that are not known yet. */
  makes: (kind: LookupKind) => boolean
}

/** An option that was taken away stays visible where it is stored. */
const withStored = (options: readonly string[], stored: readonly string[]) => [
  ...options,
  ...stored.filter((value) => value !== '' && !options.includes(value)),
]

function MultiSelect({ field, options, chosen }: { field: FieldProps; options: readonly string[]; chosen: string[] }) {
  return (
    <Boxes {...field} class="field boxes">
      {withStored(options, chosen).map((option) => (
        <Choice key={option} name={field.name} value={option} checked={chosen.includes(option)}>
          {option}
        </Choice>
      ))}
    </Boxes>
  )
}

/** What a choice shows that was not made. */
/** One field as an administrator has defined it. */
export function CustomInput({ prefix, definition, ...props }: FormProps & { prefix: string; definition: CustomField }) {
  const { form, faults, choices, basePath } = props
  const { fieldType, label, description, options, required } = definition
  const name = customName(prefix, definition)
  const value = form.get(name) ?? ''
  const field = {
    id: name,
    name,
    label: required ? `${label} (required)` : label,
    hint: description,
    fault: faults[name],
  }
  if (isLookup(fieldType)) {
    return <LookupField {...field} basePath={basePath} kind={fieldType} form={form} options={choices[name]} />
  }
  switch (fieldType) {
    case 'textarea':
      return <TextArea {...field} value={value} area={{ rows: 3 }} />
    case 'boolean':
      return (
        <SelectField
          {...field}
          value={value}
          options={[NONE, { value: 'true', label: 'Yes' }, { value: 'false', label: 'No' }]}
        />
      )
    case 'select':
      return (
        <SelectField
          {...field}
          value={value}
          options={[NONE, ...withStored(options ?? [], [value]).map((text) => ({ value: text, label: text }))]}
        />
      )
    case 'multi-select':
      return <MultiSelect field={field} options={options ?? []} chosen={form.getAll(name)} />
    case 'number':
      return <Field {...field} input={{ type: 'number', step: 'any', value }} />
    case 'date':
      return <Field {...field} input={{ type: 'date', value }} />
    default:
      return <Field {...field} input={{ type: 'text', value, autocomplete: 'off' }} />
  }
}
