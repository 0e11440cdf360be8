import type { ComponentChildren } from 'preact'
import type { CustomField } from '../../../../domain/custom-fields/contract.ts'
import type { Flight, Passenger } from '../../../../domain/flights/contract.ts'
import { codeOf } from '../../../../domain/reference/contract.ts'
import { Clock, daysLater, delayOf, instantsOf, zoneOf } from '../../components/clocks.tsx'
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

interface Props extends Frame {
  flight: Flight
  userId: string
  map: MapDrawing | undefined
  planned: { days: number } | undefined
  can: { edit: boolean; delete: boolean; add: boolean; confirm: boolean }
  definitions: { flight: readonly CustomField[]; passenger: readonly CustomField[] }
  records: CustomRecords
  history: FlightHistory | undefined
}

type Pair = [ComponentChildren, ComponentChildren]

const MAX_PASSENGERS = 100

function Heading({ flight, planned, formats, basePath }: Props) {
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

interface StopProps extends Pick<Props, 'formats' | 'basePath'> {
  title: string
  airport: Flight['from']
  /** The most accurate time. */
  instant: string | null
  later?: string | undefined
  times: readonly [label: string, scheduled: string | null, actual: string | null][]
  terminal: string | null
  gate: string | null
}

function Stop({ title, airport, instant, later, times, terminal, gate, formats, basePath }: StopProps) {
  const clock = (value: string) => <Clock instant={value} zone={airport.timezone} formats={formats} />
  const pairs: Pair[] = []
  for (const [label, scheduled, actual] of times) {
    const delay = delayOf(scheduled, actual, formats)
    // The time of the heading is repeated only beside its scheduled time.
    if (actual && (scheduled || actual !== instant)) {
      pairs.push([
        label,
        <>
          {clock(actual)}
          {scheduled && <span class="quiet"> scheduled {clock(scheduled)}</span>}
          {delay && <span class={delay.endsWith('late') ? 'late' : 'quiet'}>, {delay}</span>}
        </>,
      ])
    } else if (scheduled) pairs.push([`${label}, scheduled`, clock(scheduled)])
  }
  if (terminal) pairs.push(['Terminal', <span dir="auto">{terminal}</span>])
  if (gate) pairs.push(['Gate', <span dir="auto">{gate}</span>])
  return (
    <section class="card stop">
      <h2>{title}</h2>
      {instant && (
        <p class="clock">
          {clock(instant)}
          {later && <sup>{later}</sup>} <span class="quiet">{zoneOf(instant, airport.timezone, formats)}</span>
        </p>
      )}
      <p>
        <a href={`${basePath}/airports/${airport.id}`} dir="auto">
          {airport.name}
        </a>{' '}
        <span class="quiet">{airport.timezone.replaceAll('_', ' ')}</span>
      </p>
      <Pairs class="facts" pairs={pairs} />
    </section>
  )
}

function Stops({ flight, formats, basePath }: Pick<Props, 'flight' | 'formats' | 'basePath'>) {
  const isExact = flight.datePrecision === 'day'
  const { departure, arrival } = instantsOf(flight)
  return (
    <div class="stops">
      <Stop
        {...{ formats, basePath }}
        title="Departure"
        airport={flight.from}
        instant={isExact ? departure : null}
        times={[
          ['Left gate', flight.departureScheduled, flight.departure],
          ['Take-off', flight.takeoffScheduled, flight.takeoffActual],
        ]}
        terminal={flight.departureTerminal}
        gate={flight.departureGate}
      />
      <Stop
        {...{ formats, basePath }}
        title="Arrival"
        airport={flight.to}
        instant={isExact ? arrival : null}
        later={daysLater(flight, formats)}
        times={[
          ['Landing', flight.landingScheduled, flight.landingActual],
          ['Arrived at gate', flight.arrivalScheduled, flight.arrival],
        ]}
        terminal={flight.arrivalTerminal}
        gate={flight.arrivalGate}
      />
    </div>
  )
}

function Facts({ flight, formats, basePath, definitions, records }: Props) {
  const { duration, aircraft, aircraftReg, track } = flight
  const distance = formats.distanceOf(flight)
  const link = (path: string, text: string) => (
    <a href={basePath + path} dir="auto">
      {text}
    </a>
  )
  const pairs: Pair[] = []
  if (distance !== undefined) pairs.push(['Distance', distance])
  if (duration !== null) pairs.push(['Duration', formats.duration(duration)])
  pairs.push(...customPairs(definitions.flight, flight.customFields, records, formats))
  if (aircraft) pairs.push(['Aircraft type', link(`/aircraft/${aircraft.id}`, aircraft.name)])
  if (aircraftReg) {
    // The filter, and so the page of a registration, rejects texts such as a single hyphen.
    const hasPage = readPageFilter({ aircraftReg }).filter.aircraftReg !== undefined
    const path = `/registrations/${encodeURIComponent(aircraftReg)}`
    pairs.push(['Registration', hasPage ? link(path, aircraftReg) : <bdi>{aircraftReg}</bdi>])
  }
  if (track) pairs.push(['Track', `${formats.count(track.pointCount)} points`])
  if (pairs.length === 0) return null
  return (
    <Section id="facts" title="Details">
      <Pairs class="facts wide" pairs={pairs} />
    </Section>
  )
}

type PassengerProps = Pick<Props, 'definitions' | 'records' | 'formats' | 'userId'> & { passenger: Passenger }

function PassengerItem({ passenger, definitions, records, formats, userId }: PassengerProps) {
  const { user, guestName, customFields } = passenger
  const words = [
    ...labelledSeat(passenger),
    ...customPairs(definitions.passenger, customFields, records, formats).map(([label, value]) => (
      <>
        {label}: {value}
      </>
    )),
  ]
  return (
    <li>
      <strong dir="auto">{user?.displayName ?? guestName}</strong>
      {user?.id === userId && ' (you)'}
      <span class="quiet what">
        {words.map((word, index) => (
          <span key={index} dir="auto">
            {word}
          </span>
        ))}
      </span>
    </li>
  )
}

function Passengers(props: Props) {
  const { passengers } = props.flight
  const more = passengers.length - MAX_PASSENGERS
  return (
    <Section id="people" title="Passengers">
      <ul class="people">
        {passengers.slice(0, MAX_PASSENGERS).map((passenger) => (
          <PassengerItem key={passenger.id} {...props} passenger={passenger} />
        ))}
      </ul>
      {more > 0 && <p class="quiet">and {props.formats.count(more)} more</p>}
    </Section>
  )
}

function Actions({ flight: { id, track }, can, basePath, viewer }: Props) {
  const link = (path: string, text: string) => (
    <a class="button" href={`${basePath}/flights/${path}`}>
      {text}
    </a>
  )
  return (
    <div class="actions">
      {can.confirm && (
        <ButtonForm action={`${basePath}/flights/${id}/flown`} csrf={viewer.csrf} class="primary">
          Flown as planned
        </ButtonForm>
      )}
      {can.edit && link(`${id}/edit`, 'Edit')}
      {can.add && link(`new?return=${id}`, 'Add return flight')}
      {can.add && link(`new?copy=${id}`, 'Copy')}
      {(track || can.edit) && link(`${id}/track`, track ? 'Track' : 'Add track')}
    </div>
  )
}

export function FlightDetailsPage(props: Props) {
  const { flight, basePath, can, map, history, formats } = props
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
      <Passengers {...props} />
      {flight.note && (
        <Section id="note" title="Note">
          <p class="note" dir="auto">
            {flight.note}
          </p>
        </Section>
      )}
      {history && <History history={history} formats={formats} />}
      {can.delete && <FlightRemoval {...props} />}
    </Layout>
  )
}
