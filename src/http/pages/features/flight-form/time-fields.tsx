import type { ComponentChildren } from 'preact'
import type { TimeName } from '../../../../domain/flights/contract.ts'
import { Field } from '../../components/fields.tsx'
import type { FormProps } from './custom-input.tsx'
import { flightSpecs } from './fields.ts'
import { Fold, isFaulty, isUsed, plainFields } from './form-fields.tsx'

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

export function ClockField({
  name,
  label,
  hint,
  form,
  faults,
}: FormProps & { name: TimeName; label: string; hint?: ComponentChildren }) {
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

export function DayField({ name, label, hint, form }: FormProps & { name: TimeName; label: string; hint?: string }) {
  const id = `${name}.day`
  return <Field id={id} name={id} label={label} hint={hint} input={{ type: 'date', value: form.get(id) ?? '' }} />
}

const places = ['departureTerminal', 'departureGate', 'arrivalTerminal', 'arrivalGate'] as const

/** What few people keep. */
export function MoreTimes(props: FormProps) {
  const field = plainFields(props)
  const told = (label: string, name: string) => {
    const text = props.form.get(name)
    return text && `${label} ${text}`
  }
  const moreFields = [...places, 'duration' as const].map((name) => told(flightSpecs[name].label, name))
  const isOpen = isUsed(props, [...moreTimes, ...places, 'duration']) || (props.form.get('departure.day') ?? '') !== ''
  return (
    <Fold
      title="More times and places"
      open={isOpen}
      holds={[...moreTimes.map((name) => told(timeLabels[name], `${name}.clock`)), ...moreFields]}
      asks={isFaulty(props, [...moreTimes, ...places, 'duration', 'departure.day'])}
    >
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
      <div class="columns four">{places.map((name) => field(name))}</div>
      <div class="columns">
        <DayField {...props} name="departure" label="Day of departure, if not the date" />
        {field('duration')}
      </div>
    </Fold>
  )
}
