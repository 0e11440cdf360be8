import type { ComponentChildren } from 'preact'
import type { CustomField } from '../../../../domain/custom-fields/contract.ts'
import type { Flight, Passenger } from '../../../../domain/flights/contract.ts'
import type { Connection, RelatedFlights } from '../../../../domain/flights/query/related.ts'
import { codeOf } from '../../../../domain/reference/contract.ts'
import { Clock, daysLater, instantsOf, zoneOf } from '../../components/clocks.tsx'
import { type CustomRecords, customPairs } from '../../components/custom-values.tsx'
import { SelectField } from '../../components/fields.tsx'
import { readPageFilter } from '../../components/filter-bar/filter.ts'
import { daysLeft, placeOf } from '../../components/flight-list.tsx'
import { type FlightHistory, FlightRemoval, History, RouteLabel } from '../../components/flight-parts.tsx'
import { ButtonForm, PostForm } from '../../components/forms.tsx'
import { Pairs } from '../../components/lists.tsx'
import { AirlineBadge, Flag, Icon } from '../../components/marks.tsx'
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
  restorableDays: number
  /** Only for passengers. */
  trips: FlightTrips | undefined
  related: RelatedFlights | undefined
}

interface FlightTrips {
  own: { id: number; name: string } | undefined
  /** The newest ones; empty if the user cannot change flights. */
  choices: readonly { id: number; name: string }[]
}

type Texts = PageTexts['flights']
type Pair = [ComponentChildren, ComponentChildren]

const MAX_PASSENGERS = 100

function Heading({ flight, planned, formats, basePath }: Props) {
  const texts = useTexts()
  const t = texts.flights
  const { date, datePrecision, airline, flightNumber } = flight
  return (
    <p class="line">
      <span>{formats.day(date, datePrecision)}</span>
      {airline && (
        <span>
          <AirlineBadge airline={airline} />{' '}
          <a href={`${basePath}/airlines/${airline.id}`} dir="auto">
            {airline.name}
          </a>
        </span>
      )}
      {flightNumber && <span dir="auto">{flightNumber}</span>}
      {planned && (
        <strong class="mark-planned">
          {datePrecision === 'day' ? t.plannedWhen({ when: daysLeft(planned.days, texts) }) : t.planned}
        </strong>
      )}
    </p>
  )
}

/** The delay from which a flight is late. */
const LATE_MINUTES = 15

const minutesBetween = (first: string, second: string) => Math.round((Date.parse(second) - Date.parse(first)) / 60_000)

function Delay({ scheduled, actual, formats }: { scheduled: string; actual: string; formats: Formats }) {
  const t = useTexts().flights
  const minutes = minutesBetween(scheduled, actual)
  const duration = formats.duration(Math.abs(minutes) * 60)
  const text = minutes > 0 ? t.late({ duration }) : minutes < 0 ? t.early({ duration }) : t.onTime
  return <span class={minutes >= LATE_MINUTES ? 'late' : 'punctual'}>{text}</span>
}

type Moment = readonly [name: keyof Texts['times'], scheduled: string | null, actual: string | null]

interface StopProps extends Pick<Props, 'formats' | 'basePath'> {
  title: string
  airport: Flight['from']
  /** The most accurate time. */
  instant: string | null
  later?: string | undefined
  /** At the gate, then in the air. */
  times: readonly [Moment, Moment]
  terminal: string | null
  gate: string | null
}

function Stop({ title, airport, instant, later, times, terminal, gate, formats, basePath }: StopProps) {
  const texts = useTexts()
  const t = texts.flights
  const clock = (value: string) => <Clock instant={value} zone={airport.timezone} formats={formats} />
  const main = times.find(([, , actual]) => actual && actual === instant) ?? times.find((each) => each[1] === instant)
  const compared = (scheduled: string, actual: string) => (
    <>
      <Delay {...{ scheduled, actual, formats }} />{' '}
      <span class="quiet">{t.scheduled({ time: () => clock(scheduled) })}</span>
    </>
  )
  const pairs: Pair[] = []
  for (const moment of times) {
    const [name, scheduled, actual] = moment
    if (instant && moment === main) continue
    if (actual) {
      const value = scheduled ? (
        <>
          {clock(actual)} {compared(scheduled, actual)}
        </>
      ) : (
        clock(actual)
      )
      pairs.push([t.times[name], value])
    } else if (scheduled) pairs.push([t.scheduledTimes[name], clock(scheduled)])
  }
  if (terminal) pairs.push([t.terminal, <span dir="auto">{terminal}</span>])
  if (gate) pairs.push([t.gate, <span dir="auto">{gate}</span>])
  const [, scheduled, actual] = main ?? []
  return (
    <section class="stop">
      <h2>{title}</h2>
      {instant && (
        <p class="clock">
          {clock(instant)}
          {later && <sup>{later}</sup>} <span class="quiet">{zoneOf(instant, airport.timezone, formats, texts)}</span>
        </p>
      )}
      {instant && main && (scheduled || main === times[1]) && (
        <p class="status">
          {main === times[1] && <span class="quiet">{t.times[main[0]]} </span>}
          {scheduled && (actual ? compared(scheduled, actual) : <span class="quiet">{t.scheduledOnly}</span>)}
        </p>
      )}
      <p>
        <Flag country={airport.country} basePath={basePath} />{' '}
        <a class="standalone" href={`${basePath}/airports/${airport.id}`} dir="auto">
          {airport.name}
        </a>{' '}
        <span class="quiet">{texts.names.country(airport.country)}</span>
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
          ['arrivedAtGate', flight.arrivalScheduled, flight.arrival],
          ['landing', flight.landingScheduled, flight.landingActual],
        ]}
        terminal={flight.arrivalTerminal}
        gate={flight.arrivalGate}
      />
    </div>
  )
}

interface Span {
  from: number
  to: number
}

/** Scheduled and actual times on one scale. The times are in the text above. */
function Spans({ flight }: Pick<Props, 'flight'>) {
  const t = useTexts().flights
  const { departure, arrival, departureScheduled, arrivalScheduled, takeoffActual, landingActual } = flight
  if (!departure || !arrival || !departureScheduled || !arrivalScheduled) return null
  const spanOf = (from: string, to: string): Span => ({ from: Date.parse(from), to: Date.parse(to) })
  const scheduled = spanOf(departureScheduled, arrivalScheduled)
  const actual = spanOf(departure, arrival)
  const start = Math.min(scheduled.from, actual.from)
  const length = Math.max(scheduled.to, actual.to) - start
  if (length <= 0) return null
  const bar = ({ from, to }: Span, name?: string) => (
    <rect
      class={name}
      x={Math.round(((from - start) / length) * 1000)}
      width={Math.max(Math.round(((to - from) / length) * 1000), 4)}
      height="10"
    />
  )
  const airborne = takeoffActual && landingActual && spanOf(takeoffActual, landingActual)
  const isLate = minutesBetween(arrivalScheduled, arrival) >= LATE_MINUTES
  const row = (label: string, children: ComponentChildren, name?: string) => (
    <p class={name}>
      <span>{label}</span>
      <svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true" focusable="false">
        {children}
      </svg>
    </p>
  )
  return (
    <div class="spans" aria-hidden="true">
      {row(t.scheduledSpan, bar(scheduled))}
      {row(
        t.actualSpan,
        <>
          {bar(actual, airborne ? 'taxi' : undefined)}
          {airborne && bar(airborne)}
        </>,
        isLate ? 'late' : 'punctual',
      )}
    </div>
  )
}

function Ticket(props: Props) {
  const t = useTexts().flights
  const { flight, formats } = props
  const distance = formats.distanceOf(flight)
  const sums: Pair[] = []
  if (flight.duration !== null) sums.push([t.duration, formats.duration(flight.duration)])
  if (distance !== undefined) sums.push([t.distance, distance])
  return (
    <div class="card ticket">
      <h1 class="way">
        <RouteLabel from={placeOf(flight.from)} to={placeOf(flight.to)} />
      </h1>
      <Stops {...props} />
      {flight.datePrecision === 'day' && <Spans flight={flight} />}
      {sums.length > 0 && <Pairs class="sums" pairs={sums} />}
    </div>
  )
}

function TripOfFlight({ trips, flight, basePath, viewer }: Props) {
  const t = useTexts().trips
  if (!trips || (!trips.own && trips.choices.length === 0)) return null
  const { own, choices } = trips
  const link = (text: string) => (
    <a href={`${basePath}/trips/${own?.id}`} dir="auto">
      {text}
    </a>
  )
  const options = [{ value: '', label: t.none }, ...choices.map(({ id, name }) => ({ value: String(id), label: name }))]
  return (
    <div class="actions" id="trip">
      {own && <p>{t.ofFlight({ name: own.name, link })}</p>}
      {choices.length > 0 && (
        <details>
          <summary class="fold">{own ? t.change : t.add}</summary>
          <PostForm action={`${basePath}/flights/${flight.id}/trip`} csrf={viewer.csrf} submit={t.save}>
            <SelectField
              id="choose-trip"
              name="trip"
              label={t.chooseTrip}
              value={String(own?.id ?? choices[0]!.id)}
              options={options}
            />
          </PostForm>
        </details>
      )}
    </div>
  )
}

type LegProps = Pick<Props, 'formats' | 'basePath'> & { title: string; connection: Connection; airport: Flight['from'] }

function Leg({ title, connection: { id, from, to, seconds }, airport, formats, basePath }: LegProps) {
  const texts = useTexts()
  return (
    <a class="card hop" href={`${basePath}/flights/${id}`}>
      <span class="eyebrow">{title}</span>
      <strong class="codes">
        {from} <Icon name="plane" /> <span class="unseen">{texts.flightList.fromTo}</span>
        {to}
      </strong>
      <span class="quiet">
        {texts.flights.connection({
          duration: formats.duration(seconds),
          city: airport.municipality ?? codeOf(airport),
          place: (text) => <span dir="auto">{text}</span>,
        })}
      </span>
    </a>
  )
}

function Legs({ related, flight, formats, basePath }: Props) {
  const t = useTexts().flights
  const { previous, next } = related ?? {}
  if (!previous && !next) return null
  return (
    <nav class="hops" aria-label={t.connections}>
      {previous && <Leg title={t.previousLeg} connection={previous} airport={flight.from} {...{ formats, basePath }} />}
      {next && <Leg title={t.nextLeg} connection={next} airport={flight.to} {...{ formats, basePath }} />}
    </nav>
  )
}

function Facts({ flight, related, planned, formats, basePath, definitions, records }: Props) {
  const texts = useTexts()
  const t = texts.flights
  const { aircraft, aircraftReg, track } = flight
  const flownOn = related?.flownOn ?? 0
  const isFlown = !planned
  const link = (path: string, text: string) => (
    <a href={basePath + path} dir="auto">
      {text}
    </a>
  )
  const pairs: Pair[] = []
  if (aircraft) pairs.push([t.aircraftType, link(`/aircraft/${aircraft.id}`, aircraft.name)])
  if (aircraftReg) {
    // The filter, and so the page of a registration, rejects texts such as a single hyphen.
    const hasPage = readPageFilter({ aircraftReg }).filter.aircraftReg !== undefined
    const path = `/registrations/${encodeURIComponent(aircraftReg)}`
    const shown = hasPage ? link(path, aircraftReg) : <bdi>{aircraftReg}</bdi>
    const history = () => t.flownOn({ count: flownOn, registration: aircraftReg, link: () => shown })
    pairs.push([t.registration, flownOn > (isFlown ? 1 : 0) ? history() : shown])
  }
  if (track) pairs.push([t.track, t.points({ count: track.pointCount })])
  pairs.push(...customPairs(definitions.flight, flight.customFields, records, formats, texts))
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
  const traits = [
    ...seatFacts(passenger, texts).map(({ icon, text }) => (
      <>
        {icon && <Icon name={icon} />} {text}
      </>
    )),
    ...customPairs(definitions.passenger, customFields, records, formats, texts).map(([label, value]) =>
      t.customField({ label: () => <>{label}</>, value: () => <>{value}</> }),
    ),
  ]
  return (
    <li>
      <span>
        {user?.id === userId
          ? t.you({ displayName: user.displayName, name: strong })
          : strong(user?.displayName ?? guestName ?? '')}
      </span>
      {traits.map((trait, index) => (
        <span key={index} class="trait" dir="auto">
          {trait}
        </span>
      ))}
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
      <Ticket {...props} />
      <Actions {...props} />
      <Legs {...props} />
      <TripOfFlight {...props} />
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
