import type { ComponentChildren } from 'preact'
import type { ActivityEntry } from '../../../domain/activity/contract.ts'
import type { CustomField } from '../../../domain/custom-fields/contract.ts'
import type { Flight, Passenger } from '../../../domain/flights/contract.ts'
import { codeOf } from '../../../domain/reference/contract.ts'
import type { Frame } from '../context.ts'
import type { Formats } from '../formats.ts'
import type { MapDrawing } from '../map/draw.ts'
import { Atlas, atlasScripts } from './atlas.tsx'
import { type CustomRecords, customPairs } from './custom-values.tsx'
import { daysLeft } from './flight-list.tsx'
import { Stops } from './flight-stops.tsx'
import { TrackLink } from './flight-track.tsx'
import { ButtonForm, DangerForm } from './forms.tsx'
import { Layout } from './layout.tsx'
import { Pairs } from './lists.tsx'
import { HeightLegend } from './route-map.tsx'
import { classOptions, reasonOptions, seatOptions } from './travellers.tsx'

interface Rights {
  change: boolean
  remove: boolean
  add: boolean
  /** Whether the planned times can be taken for those that happened. */
  confirm: boolean
}

interface Props extends Frame {
  flight: Flight
  /** The id of whoever looks. */
  me: string
  map: MapDrawing | undefined
  /** Still to come, in so many days. */
  planned: { days: number } | undefined
  rights: Rights
  definitions: { flight: readonly CustomField[]; passenger: readonly CustomField[] }
  records: CustomRecords
  history: { created: ActivityEntry | undefined; changed: ActivityEntry | undefined } | undefined
}

/** Who is shown of a whole aircraft. */
const MOST_PEOPLE = 100

function End({ airport }: { airport: Flight['from'] }) {
  return (
    <span class="end">
      <strong>{codeOf(airport)}</strong>{' '}
      <span class="quiet" dir="auto">
        {airport.municipality ?? airport.name}
      </span>
    </span>
  )
}

function Heading({ flight, planned, formats, basePath }: Pick<Props, 'flight' | 'planned' | 'formats' | 'basePath'>) {
  const { from, to, date, datePrecision, airline, flightNumber } = flight
  return (
    <>
      <h1 class="way">
        <End airport={from} />
        <span class="leg">
          <span class="unseen">to</span>
        </span>
        <End airport={to} />
      </h1>
      <p class="line">
        <span>{formats.day(date, datePrecision)}</span>
        {airline && (
          <a href={`${basePath}/airlines/${airline.id}`} dir="auto">
            {airline.name}
          </a>
        )}
        {flightNumber && <span dir="auto">{flightNumber}</span>}
        {planned && (
          <strong class="mark-planned">Planned{flight.datePrecision === 'day' && `, ${daysLeft(planned.days)}`}</strong>
        )}
      </p>
    </>
  )
}

function Facts({ flight, formats, basePath, definitions, records }: Omit<Props, 'map'>) {
  const { distanceKm, duration, aircraft, aircraftReg, track } = flight
  const pairs: [ComponentChildren, ComponentChildren][] = [
    ...(distanceKm === null ? [] : [['Distance', formats.distance(distanceKm)] as [string, string]]),
    ...(duration === null ? [] : [['Duration', formats.duration(duration)] as [string, string]]),
    ...customPairs(definitions.flight, flight.customFields, records, formats),
  ]
  if (aircraft) {
    pairs.push([
      'Aircraft type',
      <a href={`${basePath}/aircraft/${aircraft.id}`} dir="auto">
        {aircraft.name}
      </a>,
    ])
  }
  if (aircraftReg) {
    const at = `${basePath}/registrations/${encodeURIComponent(aircraftReg)}`
    pairs.push([
      'Registration',
      <a href={at} dir="auto">
        {aircraftReg}
      </a>,
    ])
  }
  if (track) pairs.push(['Track', `${formats.count(track.pointCount)} points`])
  if (pairs.length === 0) return null
  return (
    <section aria-labelledby="facts">
      <h2 id="facts">The flight</h2>
      <Pairs class="facts wide" pairs={pairs} />
    </section>
  )
}

const wordOf = (options: readonly { value: string; label: string }[], value: string | null) =>
  value === null ? undefined : options.find((option) => option.value === value)?.label

interface SeatProps extends Pick<Props, 'definitions' | 'records' | 'formats' | 'me'> {
  passenger: Passenger
}

function Traveller({ passenger, definitions, records, formats, me }: SeatProps) {
  const { user, guestName, seat, seatNumber, seatClass, flightReason } = passenger
  const words = [
    [wordOf(seatOptions, seat), seatNumber].filter(Boolean).join(' '),
    wordOf(classOptions, seatClass),
    wordOf(reasonOptions, flightReason),
    ...customPairs(definitions.passenger, passenger.customFields, records, formats).map(([label, value]) => (
      <>
        {label}: {value}
      </>
    )),
  ].filter(Boolean)
  return (
    <li>
      <strong dir="auto">{user?.displayName ?? guestName}</strong>
      {user?.id === me && ' (you)'}
      <span class="quiet what">
        {words.map((word, index) => (
          // The order never changes on the page.
          <span key={index} dir="auto">
            {word}
          </span>
        ))}
      </span>
    </li>
  )
}

function People(props: Omit<SeatProps, 'passenger'> & Pick<Props, 'flight'>) {
  const { passengers } = props.flight
  const more = passengers.length - MOST_PEOPLE
  return (
    <section aria-labelledby="people">
      <h2 id="people">On board</h2>
      <ul class="people">
        {passengers.slice(0, MOST_PEOPLE).map((passenger) => (
          <Traveller key={passenger.id} {...props} passenger={passenger} />
        ))}
      </ul>
      {more > 0 && <p class="quiet">and {props.formats.count(more)} more</p>}
    </section>
  )
}

function History({ history, formats }: { history: NonNullable<Props['history']>; formats: Formats }) {
  const { created, changed } = history
  const told = (word: string, { actor, at }: ActivityEntry) => (
    <>
      {word} by <bdi>{actor?.username ?? 'the operator'}</bdi> on {formats.moment(at)}.{' '}
    </>
  )
  if (!created && !changed) return null
  return (
    <p class="quiet history">
      {created && told('Added', created)}
      {changed && told('Last changed', changed)}
    </p>
  )
}

function Actions({ flight, rights, basePath, viewer }: Pick<Props, 'flight' | 'rights' | 'basePath' | 'viewer'>) {
  const { id } = flight
  return (
    <div class="actions">
      {rights.confirm && (
        <ButtonForm action={`${basePath}/flights/${id}/flown`} csrf={viewer.csrf} class="primary">
          Flown as planned
        </ButtonForm>
      )}
      {rights.change && (
        <a class="button" href={`${basePath}/flights/${id}/edit`}>
          Edit
        </a>
      )}
      {rights.add && (
        <>
          <a class="button" href={`${basePath}/flights/new?return=${id}`}>
            Add the return
          </a>
          <a class="button" href={`${basePath}/flights/new?copy=${id}`}>
            Copy
          </a>
        </>
      )}
      <TrackLink basePath={basePath} flight={flight} mayChange={rights.change} />
    </div>
  )
}

/** What goes with a flight, before it is deleted. */
function Removal({ flight, basePath, viewer }: Pick<Props, 'flight' | 'basePath' | 'viewer'>) {
  const others = flight.passengers.length - 1
  const from = others > 0 ? `the logs of all ${others + 1} people who are on it` : 'the log'
  const withIt = [flight.note && 'its note', flight.track && 'its track'].filter(Boolean).join(' and ')
  return (
    <div class="removal">
      <DangerForm
        action={`${basePath}/flights/${flight.id}/delete`}
        csrf={viewer.csrf}
        summary="Delete this flight"
        button="Delete the flight"
      >
        <p>
          The flight goes from {from}
          {withIt && `, with ${withIt}`}. This cannot be undone.
        </p>
      </DangerForm>
    </div>
  )
}

export function FlightDetailsPage(props: Props) {
  const { flight, basePath, rights, map, history, formats } = props
  return (
    <Layout
      {...props}
      title={`${codeOf(flight.from)} to ${codeOf(flight.to)} – Paxlog`}
      place="home"
      below
      scripts={map ? atlasScripts : []}
    >
      <p class="crumb">
        <a href={basePath || '/'}>Flights</a>
      </p>
      <Heading {...props} />
      <Actions {...props} />
      <Stops {...props} />
      {map && (
        <section aria-labelledby="map">
          <h2 id="map" class="unseen">
            Map
          </h2>
          <Atlas size="low" basePath={basePath} drawing={map} data={`${basePath}/flights/${flight.id}/map.json`} />
          <HeightLegend drawing={map} formats={formats} />
        </section>
      )}
      <Facts {...props} />
      <People {...props} />
      {flight.note && (
        <section aria-labelledby="note">
          <h2 id="note">Note</h2>
          <p class="note" dir="auto">
            {flight.note}
          </p>
        </section>
      )}
      {history && <History history={history} formats={formats} />}
      {rights.remove && <Removal {...props} />}
    </Layout>
  )
}
