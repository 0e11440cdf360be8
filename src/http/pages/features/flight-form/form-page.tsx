import type { Flight } from '../../../../domain/flights/contract.ts'
import { codeOf } from '../../../../domain/reference/contract.ts'
import { FaultSummary } from '../../components/fields.tsx'
import { type FlightHistory, FlightRemoval, History } from '../../components/flight-parts.tsx'
import { PostForm } from '../../components/forms.tsx'
import type { LookupKind } from '../../components/lookup.ts'
import { travellerLabels } from '../../components/seat.ts'
import { Crumb } from '../../components/section.tsx'
import { assets } from '../../framework/assets.ts'
import type { Frame } from '../../framework/context.ts'
import type { Formats } from '../../framework/formats.ts'
import { Layout } from '../../framework/layout.tsx'
import { FlightConflict } from './conflict.tsx'
import type { FormProps } from './custom-input.tsx'
import { Essentials, type Zones } from './essentials.tsx'
import { flightSpecs } from './fields.ts'
import type { Definitions } from './flight.ts'
import { Aircraft, DatePrecision, lookupLabels, Notes } from './folds.tsx'
import type { Making } from './new-record.ts'
import { NewRecord, newRecordFaults } from './new-record-fields.tsx'
import type { NumberOption } from './numbers.ts'
import { MoreTimes, timeLabels } from './time-fields.tsx'
import { FixedTravellers, type Person, rowLabel, Travellers } from './traveller-fields.tsx'

export type { Person } from './traveller-fields.tsx'

interface Props extends Frame, Omit<FormProps, 'makes'> {
  /** The flight that is changed; undefined for a new one. */
  stored: Flight | undefined
  definitions: Definitions
  people: readonly Person[]
  /** Who fills in the form. */
  author: string
  manages: boolean
  deletable: boolean
  addedRow: number | undefined
  /** The record that is made for a field. */
  making: Making | undefined
  found: readonly NumberOption[] | undefined
  /** Whether the person may make records of a kind. */
  makes: (kind: LookupKind) => boolean
  /** Of the airports that are chosen, so that the script can count the nights. */
  zones: Zones
  /** Who made the flight and changed it last, as far as it is known. */
  history: FlightHistory | undefined
  /** The fields as somebody else has just saved them. */
  now: URLSearchParams | undefined
}

const labels: Record<string, string> = {
  from: 'From',
  to: 'To',
  passengers: 'On board',
  ...lookupLabels,
  ...timeLabels,
  ...Object.fromEntries(Object.entries(flightSpecs).map(([name, { label }]) => [name, label])),
}

/** Where the field of a fault is, and what it is called. */
function fieldOf(name: string, { flight, passenger }: Definitions, form: URLSearchParams) {
  const [, row, member = ''] = /^passengers\.(\d+)\.(.+)$/.exec(name) ?? []
  const key = /customFields\.(.+)$/.exec(name)?.[1]
  const custom = [...(row === undefined ? flight : passenger)].find((definition) => definition.key === key)
  const own = custom?.label ?? (row === undefined ? labels[name] : travellerLabels[member]) ?? name
  return {
    id: name in timeLabels ? `${name}.clock` : name,
    label: row === undefined ? own : `${rowLabel(form, Number(row))}, ${own}`,
  }
}

/** Which flight it is, as it is stored. */
const facts = (flight: Flight, formats: Formats) =>
  [
    formats.day(flight.date, flight.datePrecision),
    formats.distanceOf(flight),
    flight.track && `a track of ${formats.count(flight.track.pointCount)} points`,
  ]
    .filter(Boolean)
    .join(' · ')

export function FlightPage(props: Props) {
  const { basePath, viewer, form, faults, choices, stored, definitions, manages } = props
  const heading = stored ? `${codeOf(stored.from)} to ${codeOf(stored.to)}` : 'Add a flight'
  const fields = Object.fromEntries(Object.keys(faults).map((name) => [name, fieldOf(name, definitions, form)]))
  const made = newRecordFaults(props.making)
  const parts = { basePath, form, faults, choices, makes: props.makes }
  return (
    <Layout
      {...props}
      title={`${props.now ? 'Error: ' : ''}${stored ? 'Edit ' : ''}${heading} – Paxlog`}
      faults={{ ...made.faults, ...faults }}
      place="home"
      below
      scripts={[assets.flightForm]}
    >
      <Crumb href={basePath || '/'}>Flights</Crumb>
      <h1>{heading}</h1>
      {stored && <p class="quiet">{facts(stored, props.formats)}</p>}
      {props.history && <History history={props.history} formats={props.formats} />}
      <FaultSummary faults={{ ...made.faults, ...faults }} fields={{ ...made.fields, ...fields }} />
      {props.now && stored && (
        <FlightConflict
          now={props.now}
          form={form}
          people={props.people}
          labelOf={(name) => fieldOf(name.replace(/\.(clock|day)$/, ''), definitions, form).label}
          page={`${basePath}/flights/${stored.id}/edit`}
        />
      )}
      <PostForm
        action={`${basePath}/flights/${stored ? `${stored.id}/edit` : 'new'}`}
        csrf={viewer.csrf}
        hidden={{ author: props.author, version: form.get('version') }}
        class="flight"
        submit={
          <>
            <button class="primary" type="submit">
              Save
            </button>
            {!stored && (
              <button type="submit" name="follow" value="another">
                Save and add another
              </button>
            )}
          </>
        }
      >
        {/* The first button is the one that Enter presses. */}
        <button
          class="unseen"
          type="submit"
          tabIndex={-1}
          aria-hidden="true"
          {...(props.making && { name: 'made', value: props.making.field })}
        >
          Save
        </button>
        {props.making && <NewRecord form={form} making={props.making} />}
        <Essentials {...parts} zones={props.zones} found={props.found} />
        <Aircraft {...parts} />
        {stored && !manages ? (
          <FixedTravellers passengers={stored.passengers} />
        ) : (
          <Travellers
            {...parts}
            people={props.people}
            manages={manages}
            definitions={definitions.passenger}
            addedRow={props.addedRow}
            stored={stored}
          />
        )}
        <MoreTimes {...parts} />
        <DatePrecision {...parts} />
        <Notes {...parts} definitions={definitions} />
      </PostForm>
      {stored && props.deletable && <FlightRemoval basePath={basePath} viewer={viewer} flight={stored} />}
    </Layout>
  )
}
