import type { TimeName } from '../../../domain/flights/contract.ts'
import type { FormProps } from './custom-input.tsx'
import { Field } from './fields.tsx'

export const timeLabels: Record<TimeName, string> = {
  departure: 'Departure',
  arrival: 'Arrival',
  departureScheduled: 'Scheduled departure',
  arrivalScheduled: 'Scheduled arrival',
  takeoffScheduled: 'Scheduled take-off',
  takeoffActual: 'Actual take-off',
  landingScheduled: 'Scheduled landing',
  landingActual: 'Actual landing',
}

const moreTimes: TimeName[] = [
  'departureScheduled',
  'arrivalScheduled',
  'takeoffScheduled',
  'landingScheduled',
  'takeoffActual',
  'landingActual',
]

export const placeLabels = {
  departureTerminal: 'Departure terminal',
  departureGate: 'Departure gate',
  arrivalTerminal: 'Arrival terminal',
  arrivalGate: 'Arrival gate',
} as const

export function ClockField({
  name,
  label,
  hint,
  form,
  faults,
}: FormProps & { name: TimeName; label: string; hint?: string }) {
  const id = `${name}.clock`
  return (
    <Field
      id={id}
      name={id}
      label={label}
      hint={hint}
      fault={faults[name]}
      input={{ type: 'time', value: form.get(id) ?? '' }}
    />
  )
}

export function DayField({ name, label, form }: FormProps & { name: TimeName; label: string }) {
  const id = `${name}.day`
  return <Field id={id} name={id} label={label} input={{ type: 'date', value: form.get(id) ?? '' }} />
}

const isUsed = ({ form, faults }: FormProps, name: string) =>
  faults[name] !== undefined || ['', '.clock', '.day'].some((part) => (form.get(name + part) ?? '') !== '')

/** What few people keep, folded away until it holds something. */
export function MoreTimes(props: FormProps) {
  const { form, faults } = props
  const names = [...moreTimes, ...Object.keys(placeLabels), 'duration', 'departure.day']
  return (
    <details class="card unfolding" open={names.some((name) => isUsed(props, name))}>
      <summary>
        <h2>More times and places</h2>
      </summary>
      <p class="hint">All times are local at their airport. A day is needed only where it is another one.</p>
      <div class="clocks">
        {moreTimes.map((name) => (
          <fieldset key={name} class="pair">
            <legend>{timeLabels[name]}</legend>
            <ClockField {...props} name={name} label="Time" />
            <DayField {...props} name={name} label="Day" />
          </fieldset>
        ))}
      </div>
      <div class="columns four">
        {Object.entries(placeLabels).map(([name, label]) => (
          <Field
            key={name}
            id={name}
            name={name}
            label={label}
            fault={faults[name]}
            input={{ type: 'text', value: form.get(name) ?? '', autocomplete: 'off' }}
          />
        ))}
      </div>
      <div class="columns">
        <DayField {...props} name="departure" label="Day of departure, if not the date" />
        <Field
          id="duration"
          name="duration"
          label="Duration"
          hint="Hours and minutes, such as 2:55. Left empty, it is counted from departure to arrival."
          fault={faults.duration}
          input={{ type: 'text', value: form.get('duration') ?? '', autocomplete: 'off' }}
        />
      </div>
    </details>
  )
}
