import type { ComponentChildren } from 'preact'
import type { CustomField } from '../../../../domain/custom-fields/contract.ts'
import type { Flight, Passenger } from '../../../../domain/flights/contract.ts'
import { codeOf } from '../../../../domain/reference/contract.ts'
import { Clock, daysLater, instantsOf, zoneOf } from '../../components/clocks.tsx'
import { type CustomRecords, customPairs } from '../../components/custom-values.tsx'
import { readPageFilter } from '../../components/filter-bar/filter.ts'
import { daysLeft, placeOf } from '../../components/flight-list.tsx'
import { type FlightHistory, FlightRemoval, History, RouteLabel } from '../../components/flight-parts.tsx'
import { ButtonForm } from '../../components/forms.tsx'
import { Pairs } from '../../components/lists.tsx'
import { seatFacts } from '../../components/seat.ts'
import { Crumb, Section } from '../../components/section.tsx'
import type { Frame } from '../../framework/context.ts'
import type { Formats } from '../../framework/formats.ts'
import { Layout } from '../../framework/layout.tsx'
import { useTexts } from '../../framework/localization.ts'
import { Atlas, atlasScripts } from '../../maps/atlas.tsx'
import type { MapDrawing } from '../../maps/draw.ts'
import { HeightLegend } from '../../maps/route-map.tsx'
import type { PageTexts } from '../../texts/languages.ts'

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

type Texts = PageTexts['flights']
type Pair = [ComponentChildren, ComponentChildren]

const MAX_PASSENGERS = 100

function Heading({ flight, planned, formats, basePath }: Props) {
  const texts = useTexts()
  const t = texts.flights
  const { from, to, date, datePrecision, airline, flightNumber } = flight
  return (
    <>
      <h1 class="way">
        <RouteLabel from={placeOf(from)} to={placeOf(to)} />
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
          <strong class="mark-planned">
            {datePrecision === 'day' ? t.plannedWhen({ when: daysLeft(planned.days, texts) }) : t.planned}
          </strong>
        )}
      </p>
    </>
  )
}

function Delay({ scheduled, actual, formats }: { scheduled: string; actual: string; formats: Formats }) {
  const t = useTexts().flights
  const minutes = Math.round((Date.parse(actual) - Date.parse(scheduled)) / 60_000)
  const duration = formats.duration(Math.abs(minutes) * 60)
  if (minutes > 0) return <span class="late">, {t.late({ duration })}</span>
  return <span class="quiet">, {minutes === 0 ? t.onTime : t.early({ duration })}</span>
}

interface StopProps extends Pick<Props, 'formats' | 'basePath'> {
  title: string
  airport: Flight['from']
  /** The most accurate time. */
  instant: string | null
  later?: string | undefined
  times: readonly [name: keyof Texts['times'], scheduled: string | null, actual: string | null][]
  terminal: string | null
  gate: string | null
}

function Stop({ title, airport, instant, later, times, terminal, gate, formats, basePath }: StopProps) {
  const texts = useTexts()
  const t = texts.flights
  const clock = (value: string) => <Clock instant={value} zone={airport.timezone} formats={formats} />
  const pairs: Pair[] = []
  for (const [name, scheduled, actual] of times) {
    // The time of the heading is repeated only beside its scheduled time.
    if (actual && (scheduled || actual !== instant)) {
      pairs.push([
        t.times[name],
        <>
          {clock(actual)}
          {scheduled && <span class="quiet"> {t.scheduled({ time: () => clock(scheduled) })}</span>}
          {scheduled && <Delay {...{ scheduled, actual, formats }} />}
        </>,
      ])
    } else if (scheduled) pairs.push([t.scheduledTimes[name], clock(scheduled)])
  }
  if (terminal) pairs.push([t.terminal, <span dir="auto">{terminal}</span>])
  if (gate) pairs.push([t.gate, <span dir="auto">{gate}</span>])
  return (
    <section class="card stop">
      <h2>{title}</h2>
      {instant && (
        <p class="clock">
          {clock(instant)}
          {later && <sup>{later}</sup>} <span class="quiet">{zoneOf(instant, airport.timezone, formats, texts)}</span>
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
  const t = useTexts().flights
  const isExact = flight.datePrecision === 'day'
  const { departure, arrival } = instantsOf(flight)
  return (
    <div class="stops">
      <Stop
        {...{ formats, basePath }}
        title={t.departure}
        airport={flight.from}
        instant={isExact ? departure : null}
        times={[
          ['leftGate', flight.departureScheduled, flight.departure],
          ['takeoff', flight.takeoffScheduled, flight.takeoffActual],
        ]}
        terminal={flight.departureTerminal}
        gate={flight.departureGate}
      />
      <Stop
        {...{ formats, basePath }}
        title={t.arrival}
        airport={flight.to}
        instant={isExact ? arrival : null}
        later={daysLater(flight, formats)}
        times={[
          ['landing', flight.landingScheduled, flight.landingActual],
          ['arrivedAtGate', flight.arrivalScheduled, flight.arrival],
        ]}
        terminal={flight.arrivalTerminal}
        gate={flight.arrivalGate}
      />
    </div>
  )
}

function Facts({ flight, formats, basePath, definitions, records }: Props) {
  const texts = useTexts()
  const t = texts.flights
  const { duration, aircraft, aircraftReg, track } = flight
  const distance = formats.distanceOf(flight)
  const link = (path: string, text: string) => (
    <a href={basePath + path} dir="auto">
      {text}
    </a>
  )
  const pairs: Pair[] = []
  if (distance !== undefined) pairs.push([t.distance, distance])
  if (duration !== null) pairs.push([t.duration, formats.duration(duration)])
  pairs.push(...customPairs(definitions.flight, flight.customFields, records, formats, texts))
  if (aircraft) pairs.push([t.aircraftType, link(`/aircraft/${aircraft.id}`, aircraft.name)])
  if (aircraftReg) {
    // The filter, and so the page of a registration, rejects texts such as a single hyphen.
    const hasPage = readPageFilter({ aircraftReg }).filter.aircraftReg !== undefined
    const path = `/registrations/${encodeURIComponent(aircraftReg)}`
    pairs.push([t.registration, hasPage ? link(path, aircraftReg) : <bdi>{aircraftReg}</bdi>])
  }
  if (track) pairs.push([t.track, t.points({ count: track.pointCount })])
  if (pairs.length === 0) return null
  return (
    <Section id="facts" title={t.details}>
      <Pairs class="facts wide" pairs={pairs} />
    </Section>
  )
}

type PassengerProps = Pick<Props, 'definitions' | 'records' | 'formats' | 'userId'> & { passenger: Passenger }

function PassengerItem({ passenger, definitions, records, formats, userId }: PassengerProps) {
  const texts = useTexts()
  const t = texts.flights
  const { user, guestName, customFields } = passenger
  const strong = (text: string) => <strong dir="auto">{text}</strong>
  const words = [
    ...seatFacts(passenger, texts),
    ...customPairs(definitions.passenger, customFields, records, formats, texts).map(([label, value]) =>
      t.customField({ label: () => <>{label}</>, value: () => <>{value}</> }),
    ),
  ]
  return (
    <li>
      {user?.id === userId
        ? t.you({ displayName: user.displayName, name: strong })
        : strong(user?.displayName ?? guestName ?? '')}
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
  const t = useTexts().flights
  const { passengers } = props.flight
  const more = passengers.length - MAX_PASSENGERS
  return (
    <Section id="people" title={t.passengers}>
      <ul class="people">
        {passengers.slice(0, MAX_PASSENGERS).map((passenger) => (
          <PassengerItem key={passenger.id} {...props} passenger={passenger} />
        ))}
      </ul>
      {more > 0 && <p class="quiet">{t.morePassengers({ count: more })}</p>}
    </Section>
  )
}

function Actions({ flight: { id, track }, can, basePath, viewer }: Props) {
  const t = useTexts().flights
  const link = (path: string, text: string) => (
    <a class="button" href={`${basePath}/flights/${path}`}>
      {text}
    </a>
  )
  return (
    <div class="actions">
      {can.confirm && (
        <ButtonForm action={`${basePath}/flights/${id}/flown`} csrf={viewer.csrf} class="primary">
          {t.confirm}
        </ButtonForm>
      )}
      {can.edit && link(`${id}/edit`, t.edit)}
      {can.add && link(`new?return=${id}`, t.addReturn)}
      {can.add && link(`new?copy=${id}`, t.copy)}
      {(track || can.edit) && link(`${id}/track`, track ? t.track : t.addTrack)}
    </div>
  )
}

export function FlightDetailsPage(props: Props) {
  const t = useTexts().flights
  const { flight, basePath, can, map, history, formats } = props
  return (
    <Layout
      {...props}
      title={t.route({ from: codeOf(flight.from), to: codeOf(flight.to) })}
      place="home"
      below
      scripts={map ? atlasScripts : []}
    >
      <Crumb href={basePath || '/'}>{t.flights}</Crumb>
      <Heading {...props} />
      <Actions {...props} />
      <Stops {...props} />
      {map && (
        <Section id="map" title={t.map} untitled>
          <Atlas size="low" basePath={basePath} drawing={map} data={`${basePath}/flights/${flight.id}/map.json`} />
          <HeightLegend drawing={map} formats={formats} />
        </Section>
      )}
      <Facts {...props} />
      <Passengers {...props} />
      {flight.note && (
        <Section id="note" title={t.note}>
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
