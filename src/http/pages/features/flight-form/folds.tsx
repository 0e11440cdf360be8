import { LookupField } from '../../components/lookup-field.tsx'
import { CustomInput, type FormProps } from './custom-input.tsx'
import { customName } from './custom-values.ts'
import type { Definitions } from './flight.ts'
import { Fold, isFaulty, isUsed, plainFields } from './form-fields.tsx'

export const lookupLabels = { airline: 'Airline', aircraft: 'Aircraft type' } as const

const aircraftFields = ['airline', 'aircraft', 'aircraftReg'] as const

export function Aircraft(props: FormProps) {
  const { form, faults, choices, basePath } = props
  const field = plainFields(props)
  const lookup = (name: 'airline' | 'aircraft', hint?: string) => (
    <LookupField
      basePath={basePath}
      form={form}
      kind={name}
      name={name}
      label={lookupLabels[name]}
      hint={hint}
      fault={faults[name]}
      options={choices[name]}
      makeable={props.makes(name)}
    />
  )
  return (
    <Fold
      title="Airline and aircraft"
      open={isUsed(props, aircraftFields)}
      holds={aircraftFields.map((name) => form.get(name))}
      asks={isFaulty(props, aircraftFields)}
    >
      <div class="columns">
        {lookup('airline', 'Left empty, it is taken from the flight number.')}
        {lookup('aircraft')}
        {field('aircraftReg')}
      </div>
    </Fold>
  )
}

export function DatePrecision(props: FormProps) {
  const { form, faults } = props
  const isOpen = faults.datePrecision !== undefined || (form.get('datePrecision') ?? 'day') !== 'day'
  return (
    <Fold title="Only the month or the year is known" open={isOpen}>
      {plainFields(props)('datePrecision')}
    </Fold>
  )
}

export function Notes({ definitions, ...props }: FormProps & { definitions: Definitions }) {
  const names = definitions.flight.map((definition) => customName('', definition))
  const isAsked = definitions.flight.some(({ required }) => required)
  const customTexts = definitions.flight.map((definition, index) => {
    const text = props.form.get(names[index]!)
    return text && `${definition.label}: ${text}`
  })
  return (
    <Fold
      title="Notes"
      open={isAsked || isUsed(props, ['note', ...names])}
      holds={[...customTexts, props.form.get('note')]}
      asks={isFaulty(props, ['note', ...names])}
    >
      {definitions.flight.length > 0 && (
        <div class="columns">
          {definitions.flight.map((definition) => (
            <CustomInput key={definition.id} {...props} prefix="" definition={definition} />
          ))}
        </div>
      )}
      {plainFields(props)('note')}
    </Fold>
  )
}
