import type { ComponentChildren } from 'preact'
import type { CustomField } from '../../../../domain/custom-fields/contract.ts'
import type { Flight, Passenger } from '../../../../domain/flights/contract.ts'
import { codeOf } from '../../../../domain/reference/contract.ts'
import { type CustomRecords, customPairs } from '../../components/custom-values.tsx'
import { readPageFilter } from '../../components/filter-bar/filter.ts'
import { daysLeft, placeOf } from '../../components/flight-list.tsx'
import { type FlightHistory, FlightRemoval, History, Way } from '../../components/flight-parts.tsx'
import { ButtonForm } from '../../components/forms.tsx'
import { Pairs } from '../../components/lists.tsx'
import { labelledSeat } from '../../components/seat.ts'
import { Crumb, Section } from '../../components/section.tsx'
import type { Frame } from '../../framework/context.ts'
import { Layout } from '../../framework/layout.tsx'
import { Atlas, atlasScripts } from '../../maps/atlas.tsx'
import type { MapDrawing } from '../../maps/draw.ts'
import { HeightLegend } from '../../maps/route-map.tsx'
import { Stops } from './flight-stops.tsx'
import { TrackLink } from './flight-track-page.tsx'

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
  history: FlightHistory | undefined
}

/** Who is shown of a whole aircraft. */
const MOST_PEOPLE = 100

function Heading({ flight, planned, formats, basePath }: Pick<Props, 'flight' | 'planned' | 'formats' | 'basePath'>) {
  const { from, to, date, datePrecision, airline, flightNumber } = flight
  return (
    <>
      <h1 class="way">
        <Way from={placeOf(from)} to={placeOf(to)} />
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
  const { duration, aircraft, aircraftReg, track } = flight
  const distance = formats.distanceOf(flight)
  const pairs: [ComponentChildren, ComponentChildren][] = [
    ...(distance === undefined ? [] : [['Distance', distance] as [string, string]]),
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
    // A mere hyphen, which the filter does not take, has no page of its own.
    const isSought = readPageFilter({ aircraftReg }).filter.aircraftReg !== undefined
    pairs.push([
      'Registration',
      isSought ? (
        <a href={at} dir="auto">
          {aircraftReg}
        </a>
      ) : (
        <bdi>{aircraftReg}</bdi>
      ),
    ])
  }
  if (track) pairs.push(['Track', `${formats.count(track.pointCount)} points`])
  if (pairs.length === 0) return null
  return (
    <Section id="facts" title="The flight">
      <Pairs class="facts wide" pairs={pairs} />
    </Section>
  )
}

interface SeatProps extends Pick<Props, 'definitions' | 'records' | 'formats' | 'me'> {
  passenger: Passenger
}

function Traveller({ passenger, definitions, records, formats, me }: SeatProps) {
  const { user, guestName, seat, seatNumber, seatClass, flightReason } = passenger
  const words = [
    ...labelledSeat({ seat, seatNumber, seatClass, flightReason }),
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
    <Section id="people" title="On board">
      <ul class="people">
        {passengers.slice(0, MOST_PEOPLE).map((passenger) => (
          <Traveller key={passenger.id} {...props} passenger={passenger} />
        ))}
      </ul>
      {more > 0 && <p class="quiet">and {props.formats.count(more)} more</p>}
    </Section>
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
      <Crumb href={basePath || '/'}>Flights</Crumb>
      <Heading {...props} />
      <Actions {...props} />
      <Stops {...props} />
      {map && (
        <Section id="map" title="Map" untitled>
          <Atlas size="low" basePath={basePath} drawing={map} data={`${basePath}/flights/${flight.id}/map.json`} />
          <HeightLegend drawing={map} formats={formats} />
        </Section>
      )}
      <Facts {...props} />
      <People {...props} />
      {flight.note && (
        <Section id="note" title="Note">
          <p class="note" dir="auto">
            {flight.note}
          </p>
        </Section>
      )}
      {history && <History history={history} formats={formats} />}
      {rights.remove && <FlightRemoval {...props} />}
    </Layout>
  )
}
