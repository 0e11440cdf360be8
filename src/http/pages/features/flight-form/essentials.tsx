import { laterBy } from '../../components/clocks.tsx'
import { LookupField } from '../../components/lookup-field.tsx'
import type { FormProps } from './custom-input.tsx'
import { plainFields } from './form-fields.tsx'
import { FoundNumbers } from './found-numbers.tsx'
import type { NumberOption } from './numbers.ts'
import { ClockField, DayField } from './time-fields.tsx'

export interface Zones {
  from: string | undefined
  to: string | undefined
}

/** How many days after the departure the flight arrives. */
const nightsOf = (form: URLSearchParams): string =>
  laterBy(form.get('departure.day') || form.get('date') || '', form.get('arrival.day') ?? '')

interface Props extends FormProps {
  zones: Zones
  /** What the number may stand for, where somebody has asked. */
  found: readonly NumberOption[] | undefined
}

const ends = [
  ['from', 'From'],
  ['to', 'To'],
] as const

/** What every flight has: number and day, both ends, both times. */
export function Essentials({ zones, found, ...props }: Props) {
  const { form, faults, choices } = props
  const field = plainFields(props)
  const { basePath } = props
  const lookup = { basePath, form, kind: 'airport', required: true, makeable: props.makes('airport') } as const
  return (
    <fieldset class="card essentials">
      <legend class="unseen">Flight</legend>
      <div class="columns number">
        {field('flightNumber')}
        {field('date')}
      </div>
      <FoundNumbers basePath={basePath} found={found} />
      <div class="columns">
        {ends.map(([name, label]) => (
          <LookupField
            {...lookup}
            key={name}
            name={name}
            label={label}
            hint="City, name or code."
            fault={faults[name]}
            options={choices[name]}
            zone={zones[name]}
          />
        ))}
      </div>
      <div class="columns times">
        <ClockField {...props} name="departure" label="Departure" hint="Local time." />
        <ClockField
          {...props}
          name="arrival"
          label="Arrival"
          hint={
            <>
              Local time. <output id="nights">{nightsOf(form)}</output>
            </>
          }
        />
        <DayField {...props} name="arrival" label="Day of arrival" hint="Empty: the first that fits." />
      </div>
    </fieldset>
  )
}
