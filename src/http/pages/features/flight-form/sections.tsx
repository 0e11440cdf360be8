import type { ComponentChildren } from 'preact'
import { type TimeName, timePairs } from '../../../../domain/flights/contract.ts'
import { laterBy } from '../../components/clocks.tsx'
import { Field } from '../../components/fields.tsx'
import { LookupField } from '../../components/lookup-field.tsx'
import { Icon, type IconName } from '../../components/marks.tsx'
import { useScriptTexts, useTexts } from '../../framework/localization.ts'
import { CustomInput, customName } from './custom-fields.tsx'
import { DocumentFields } from './document-fields.tsx'
import { Fold, type FormProps, hasError, isUsed, plainFields } from './fields.tsx'
import type { Definitions } from './flight.ts'
import type { NumberOption } from './numbers.ts'
import {
  FixedPassengers,
  hasOtherPassengers,
  Passengers,
  type PassengersProps,
  passengerNames,
  passengersNeedAttention,
  SeatFields,
} from './passengers.tsx'
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

interface WayProps {
  /** Absent on the form of a stored flight. */
  title: string | undefined
  hint?: string
  icon: IconName
  children: ComponentChildren
}

const Way = ({ title, hint, icon, children }: WayProps) => (
  <div class="way-in">
    {title && (
      <h2>
        <Icon name={icon} /> {title}
      </h2>
    )}
    {title && hint && <p class="hint">{hint}</p>}
    {children}
  </div>
)

interface EssentialsProps extends FormProps, FoundProps {
  zones: Zones
  isNew: boolean
  canReadDocuments: boolean
  /** The passenger row of the user; undefined if they are not on the flight. */
  ownRow: number | undefined
}

/** Three ways to add a flight: look it up by number and date, read a document, or enter it manually. */
export function Essentials({ zones, found, isNew, canReadDocuments, ownRow, ...props }: EssentialsProps) {
  const { flightForm: t, travelDocuments: documents } = useTexts()
  const { form, basePath } = props
  const field = plainFields(props, t)
  const departureDay = form.get('departure.day') || form.get('date') || ''
  return (
    <fieldset class="card essentials">
      <legend class="unseen">{t.flight}</legend>
      <div class="ways">
        <Way title={isNew ? t.byNumber : undefined} hint={t.byNumberHint} icon="plane">
          {field('flightNumber')}
          {field('date')}
          <FoundNumbers basePath={basePath} found={found} />
        </Way>
        {canReadDocuments && (
          <Way title={documents.way} hint={documents.wayHint} icon="scan">
            <DocumentFields basePath={basePath} />
          </Way>
        )}
        <Way title={isNew ? t.byHand : undefined} hint={t.byHandHint} icon="note">
          <RecordField {...props} name="from" required zone={zones.from} />
          <RecordField {...props} name="to" required zone={zones.to} />
        </Way>
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
      {ownRow !== undefined && (
        <fieldset class="own-seat">
          <legend>{t.yourSeat}</legend>
          <SeatFields {...props} row={ownRow} />
        </fieldset>
      )}
    </fieldset>
  )
}

const aircraftFields = ['airline', 'aircraft', 'aircraftReg'] as const
const moreTimes = timePairs.slice(1).flat()
const places = ['departureTerminal', 'departureGate', 'arrivalTerminal', 'arrivalGate'] as const

export function FlightDetails({ isNew, ...props }: FormProps & { isNew: boolean }) {
  const t = useTexts().flightForm
  const field = plainFields(props, t)
  const names = [...aircraftFields, ...moreTimes, ...places, 'duration', 'departure.day']
  const precision = props.form.get('datePrecision') ?? 'day'
  const isImprecise = precision === 'month' || precision === 'year'
  const labelled = (label: string, name: string) => {
    const value = props.form.get(name)
    return value && t.labelledValue({ label, value })
  }
  const needsAttention = hasError(props, [...names, 'datePrecision'])
  return (
    <Fold
      title={t.flightDetails}
      open={needsAttention || (!isNew && (isImprecise || isUsed(props, names)))}
      values={[
        isImprecise ? t.precisions[precision] : null,
        ...aircraftFields.map((name) => props.form.get(name)),
        ...moreTimes.map((name) => labelled(t.fields[name], `${name}.clock`)),
        ...[...places, 'duration' as const].map((name) => labelled(t.fields[name], name)),
      ]}
      needsAttention={needsAttention}
    >
      <div class="columns">
        <RecordField {...props} name="airline" hint={t.airlineHint} />
        <RecordField {...props} name="aircraft" />
        {field('aircraftReg')}
        {field('datePrecision')}
        {field('duration')}
      </div>
      <div class="columns four">{places.map((name) => field(name))}</div>
      <h3>{t.moreTimes}</h3>
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
      <DayField {...props} name="departure" label={t.departureDay} />
    </Fold>
  )
}

interface PeopleAndNotesProps extends PassengersProps {
  isNew: boolean
  flightDefinitions: Definitions['flight']
}

export function PeopleAndNotes({ isNew, flightDefinitions, ...props }: PeopleAndNotesProps) {
  const t = useTexts().flightForm
  const { form, stored, canManage } = props
  const names = ['note', ...flightDefinitions.map((definition) => customName('', definition))]
  const customTexts = flightDefinitions.map((definition) => {
    const value = form.get(customName('', definition))
    return value && t.customValue({ label: definition.label, value })
  })
  const isFixed = stored !== undefined && !canManage
  const needsAttention =
    (!isFixed && passengersNeedAttention(props)) ||
    flightDefinitions.some(({ required }) => required) ||
    hasError(props, names)
  return (
    <Fold
      title={t.peopleAndNotes}
      open={needsAttention || (!isNew && (hasOtherPassengers(props) || isUsed(props, names)))}
      values={[...(isFixed ? [] : passengerNames(props)), ...customTexts, form.get('note')]}
      needsAttention={needsAttention}
    >
      {isFixed ? <FixedPassengers passengers={stored.passengers} /> : <Passengers {...props} />}
      {flightDefinitions.length > 0 && (
        <div class="columns">
          {flightDefinitions.map((definition) => (
            <CustomInput key={definition.id} {...props} prefix="" definition={definition} />
          ))}
        </div>
      )}
      {plainFields(props, t)('note')}
    </Fold>
  )
}
