import type { ComponentChildren } from 'preact'
import { type TimeName, timePairs } from '../../../../domain/flights/contract.ts'
import { laterBy } from '../../components/clocks.tsx'
import { Field } from '../../components/fields.tsx'
import { LookupField } from '../../components/lookup-field.tsx'
import { useScriptTexts, useTexts } from '../../framework/localization.ts'
import { CustomInput, customName } from './custom-fields.tsx'
import { Fold, type FormProps, hasError, isUsed, plainFields } from './fields.tsx'
import type { Definitions } from './flight.ts'
import type { NumberOption } from './numbers.ts'
import { type RecordName, recordKinds } from './reading.ts'
import type { Zones } from './times.ts'

interface TimeProps extends FormProps {
  name: TimeName
  label: string
  hint?: ComponentChildren
}

function ClockField({ name, label, hint, form, fieldErrors }: TimeProps) {
  const id = `${name}.clock`
  const input = { type: 'time', value: form.get(id) ?? '' } as const
  return <Field id={id} name={id} label={label} hint={hint} fieldError={fieldErrors[name]} input={input} />
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

function RecordField({ form, fieldErrors, choices, canCreate, ...field }: RecordProps) {
  const t = useTexts().flightForm
  const { name } = field
  return (
    <LookupField
      {...field}
      form={form}
      kind={recordKinds[name]}
      label={t.fields[name]}
      fieldError={fieldErrors[name]}
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
  const t = useTexts().flightForm
  return (
    <div
      class="found"
      id="found"
      data-numbers={`${basePath}/search/flight-numbers`}
      data-texts={useScriptTexts('flightForm')}
    >
      <button type="submit" name="lookUp" value="number" class="plain">
        {t.lookUpNumber}
      </button>
      <p class="hint" role="status">
        {found?.length === 0 && t.numberNotFound}
        {found && found.length > 0 && t.isThisYours}
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
  const t = useTexts().flightForm
  const { form, basePath } = props
  const field = plainFields(props, t)
  const departureDay = form.get('departure.day') || form.get('date') || ''
  return (
    <fieldset class="card essentials">
      <legend class="unseen">{t.flight}</legend>
      <div class="columns number">
        {field('flightNumber')}
        {field('date')}
      </div>
      <FoundNumbers basePath={basePath} found={found} />
      <div class="columns">
        <RecordField {...props} name="from" hint={t.airportHint} required zone={zones.from} />
        <RecordField {...props} name="to" hint={t.airportHint} required zone={zones.to} />
      </div>
      <div class="columns times">
        <ClockField {...props} name="departure" label={t.fields.departure} hint={t.localTime} />
        <ClockField
          {...props}
          name="arrival"
          label={t.fields.arrival}
          hint={t.localTimeAndDays({
            days: () => <output id="nights">{laterBy(departureDay, form.get('arrival.day') ?? '')}</output>,
          })}
        />
        <DayField {...props} name="arrival" label={t.arrivalDay} hint={t.arrivalDayHint} />
      </div>
    </fieldset>
  )
}

const aircraftFields = ['airline', 'aircraft', 'aircraftReg'] as const

export function Aircraft(props: FormProps) {
  const t = useTexts().flightForm
  return (
    <Fold
      title={t.airlineAndAircraft}
      open={isUsed(props, aircraftFields)}
      values={aircraftFields.map((name) => props.form.get(name))}
      needsAttention={hasError(props, aircraftFields)}
    >
      <div class="columns">
        <RecordField {...props} name="airline" hint={t.airlineHint} />
        <RecordField {...props} name="aircraft" />
        {plainFields(props, t)('aircraftReg')}
      </div>
    </Fold>
  )
}

const moreTimes = timePairs.slice(1).flat()
const places = ['departureTerminal', 'departureGate', 'arrivalTerminal', 'arrivalGate'] as const

export function MoreTimes(props: FormProps) {
  const t = useTexts().flightForm
  const field = plainFields(props, t)
  const names = [...moreTimes, ...places, 'duration']
  const labelled = (label: string, name: string) => {
    const value = props.form.get(name)
    return value && t.labelledValue({ label, value })
  }
  return (
    <Fold
      title={t.moreTimes}
      open={isUsed(props, names) || Boolean(props.form.get('departure.day'))}
      values={[
        ...moreTimes.map((name) => labelled(t.fields[name], `${name}.clock`)),
        ...[...places, 'duration' as const].map((name) => labelled(t.fields[name], name)),
      ]}
      needsAttention={hasError(props, [...names, 'departure.day'])}
    >
      <p class="hint">{t.moreTimesHint}</p>
      <div class="clocks">
        {moreTimes.map((name) => (
          <fieldset key={name} class="pair">
            <legend>{t.fields[name]}</legend>
            <ClockField {...props} name={name} label={t.time} />
            <DayField {...props} name={name} label={t.day} />
          </fieldset>
        ))}
      </div>
      <div class="columns four">{places.map((name) => field(name))}</div>
      <div class="columns">
        <DayField {...props} name="departure" label={t.departureDay} />
        {field('duration')}
      </div>
    </Fold>
  )
}

export function DatePrecision(props: FormProps) {
  const t = useTexts().flightForm
  const { form, fieldErrors } = props
  const isOpen = fieldErrors.datePrecision !== undefined || (form.get('datePrecision') ?? 'day') !== 'day'
  return (
    <Fold title={t.imprecise} open={isOpen}>
      {plainFields(props, t)('datePrecision')}
    </Fold>
  )
}

export function Notes({ definitions, ...props }: FormProps & { definitions: Definitions['flight'] }) {
  const t = useTexts().flightForm
  const names = ['note', ...definitions.map((definition) => customName('', definition))]
  const customTexts = definitions.map((definition) => {
    const value = props.form.get(customName('', definition))
    return value && t.customValue({ label: definition.label, value })
  })
  return (
    <Fold
      title={t.notes}
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
      {plainFields(props, t)('note')}
    </Fold>
  )
}
