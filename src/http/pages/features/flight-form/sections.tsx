import type { ComponentChildren } from 'preact'
import { type TimeName, timePairs } from '../../../../domain/flights/contract.ts'
import { laterBy } from '../../components/clocks.tsx'
import { Field } from '../../components/fields.tsx'
import { LookupField } from '../../components/lookup-field.tsx'
import { CustomInput, customName } from './custom-fields.tsx'
import { Fold, type FormProps, flightSpecs, hasError, isUsed, plainFields } from './fields.tsx'
import type { Definitions } from './flight.ts'
import type { NumberOption } from './numbers.ts'
import { type RecordName, recordKinds } from './reading.ts'
import type { Zones } from './times.ts'

export const recordLabels = { from: 'From', to: 'To', airline: 'Airline', aircraft: 'Aircraft type' } as const

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

interface TimeProps extends FormProps {
  name: TimeName
  label: string
  hint?: ComponentChildren
}

function ClockField({ name, label, hint, form, faults }: TimeProps) {
  const id = `${name}.clock`
  const input = { type: 'time', value: form.get(id) ?? '' } as const
  return <Field id={id} name={id} label={label} hint={hint} fault={faults[name]} input={input} />
}

function DayField({ name, label, hint, form }: TimeProps) {
  const id = `${name}.day`
  return <Field id={id} name={id} label={label} hint={hint} input={{ type: 'date', value: form.get(id) ?? '' }} />
}

interface RecordProps extends FormProps {
  name: RecordName
  hint?: string
  required?: boolean
  zone?: string | undefined
}

function RecordField({ form, faults, choices, canCreate, ...field }: RecordProps) {
  const { name } = field
  return (
    <LookupField
      {...field}
      form={form}
      kind={recordKinds[name]}
      label={recordLabels[name]}
      fault={faults[name]}
      options={choices[name]}
      makeable={canCreate(recordKinds[name])}
    />
  )
}

interface FoundProps {
  basePath: string
  /** Undefined before a search. */
  found: readonly NumberOption[] | undefined
}

const idsOf = ({ from, to, airline }: NumberOption) => [from.id, to.id, airline?.id ?? ''].join('.')

/** The script asks the address in `data-numbers` while the user types. */
function FoundNumbers({ basePath, found }: FoundProps) {
  return (
    <div class="found" id="found" data-numbers={`${basePath}/search/flight-numbers`}>
      <button type="submit" name="lookUp" value="number" class="plain">
        Look up the number
      </button>
      <p class="hint" role="status">
        {found?.length === 0 && 'No flight found for this number and date.'}
        {found && found.length > 0 && 'Is this your flight?'}
      </p>
      <ul>
        {found?.map((option) => (
          <li key={idsOf(option)}>
            <button type="submit" name="take" value={idsOf(option)} class={option.isUncertain ? 'unsure' : undefined}>
              {option.label} <span class="quiet">{option.detail}</span>
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

export function Essentials({ zones, found, ...props }: FormProps & FoundProps & { zones: Zones }) {
  const { form, basePath } = props
  const field = plainFields(props)
  const departureDay = form.get('departure.day') || form.get('date') || ''
  return (
    <fieldset class="card essentials">
      <legend class="unseen">Flight</legend>
      <div class="columns number">
        {field('flightNumber')}
        {field('date')}
      </div>
      <FoundNumbers basePath={basePath} found={found} />
      <div class="columns">
        <RecordField {...props} name="from" hint="City, name or code." required zone={zones.from} />
        <RecordField {...props} name="to" hint="City, name or code." required zone={zones.to} />
      </div>
      <div class="columns times">
        <ClockField {...props} name="departure" label="Departure" hint="Local time." />
        <ClockField
          {...props}
          name="arrival"
          label="Arrival"
          hint={
            <>
              Local time. <output id="nights">{laterBy(departureDay, form.get('arrival.day') ?? '')}</output>
            </>
          }
        />
        <DayField {...props} name="arrival" label="Day of arrival" hint="Leave empty to work it out." />
      </div>
    </fieldset>
  )
}

const aircraftFields = ['airline', 'aircraft', 'aircraftReg'] as const

export function Aircraft(props: FormProps) {
  return (
    <Fold
      title="Airline and aircraft"
      open={isUsed(props, aircraftFields)}
      values={aircraftFields.map((name) => props.form.get(name))}
      needsAttention={hasError(props, aircraftFields)}
    >
      <div class="columns">
        <RecordField {...props} name="airline" hint="Leave empty to take it from the flight number." />
        <RecordField {...props} name="aircraft" />
        {plainFields(props)('aircraftReg')}
      </div>
    </Fold>
  )
}

const moreTimes = timePairs.slice(1).flat()
const places = ['departureTerminal', 'departureGate', 'arrivalTerminal', 'arrivalGate'] as const

export function MoreTimes(props: FormProps) {
  const field = plainFields(props)
  const names = [...moreTimes, ...places, 'duration']
  const labelled = (label: string, name: string) => {
    const text = props.form.get(name)
    return text && `${label} ${text}`
  }
  return (
    <Fold
      title="More times and places"
      open={isUsed(props, names) || Boolean(props.form.get('departure.day'))}
      values={[
        ...moreTimes.map((name) => labelled(timeLabels[name], `${name}.clock`)),
        ...[...places, 'duration' as const].map((name) => labelled(flightSpecs[name].label, name)),
      ]}
      needsAttention={hasError(props, [...names, 'departure.day'])}
    >
      <p class="hint">All times are local at their airport. Enter a day only if it differs.</p>
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

export function DatePrecision(props: FormProps) {
  const { form, faults } = props
  const isOpen = faults.datePrecision !== undefined || (form.get('datePrecision') ?? 'day') !== 'day'
  return (
    <Fold title="Only the month or the year is known" open={isOpen}>
      {plainFields(props)('datePrecision')}
    </Fold>
  )
}

export function Notes({ definitions, ...props }: FormProps & { definitions: Definitions['flight'] }) {
  const names = ['note', ...definitions.map((definition) => customName('', definition))]
  const customTexts = definitions.map((definition) => {
    const text = props.form.get(customName('', definition))
    return text && `${definition.label}: ${text}`
  })
  return (
    <Fold
      title="Notes"
      open={definitions.some(({ required }) => required) || isUsed(props, names)}
      values={[...customTexts, props.form.get('note')]}
      needsAttention={hasError(props, names)}
    >
      {definitions.length > 0 && (
        <div class="columns">
          {definitions.map((definition) => (
            <CustomInput key={definition.id} {...props} prefix="" definition={definition} />
          ))}
        </div>
      )}
      {plainFields(props)('note')}
    </Fold>
  )
}
