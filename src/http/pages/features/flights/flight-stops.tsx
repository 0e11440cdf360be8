import type { ComponentChildren } from 'preact'
import type { Flight } from '../../../../domain/flights/contract.ts'
import { Clock, daysLater, delayOf, instantsOf, zoneOf } from '../../components/clocks.tsx'
import { Pairs } from '../../components/lists.tsx'
import type { Formats } from '../../framework/formats.ts'

interface StopProps {
  title: string
  airport: Flight['from']
  /** The best that is known. */
  instant: string | null
  later?: string | undefined
  times: readonly [label: string, planned: string | null, actual: string | null][]
  terminal: string | null
  gate: string | null
  formats: Formats
  basePath: string
}

/** One end of a flight: its clocks against the plan, and where at the airport. */
function Stop({ title, airport, instant, later, times, terminal, gate, formats, basePath }: StopProps) {
  const clock = (value: string) => <Clock instant={value} zone={airport.timezone} formats={formats} />
  const rows = times.flatMap(([label, planned, actual]): [string, ComponentChildren][] => {
    const delay = delayOf(planned, actual, formats)
    // Alone it stands above already.
    if (actual === instant && !planned) return []
    if (actual) {
      return [
        [
          label,
          <>
            {clock(actual)}
            {planned && <span class="quiet"> planned {clock(planned)}</span>}
            {delay && <span class={delay.endsWith('late') ? 'late' : 'quiet'}>, {delay}</span>}
          </>,
        ],
      ]
    }
    return planned ? [[`${label}, planned`, clock(planned)]] : []
  })
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
      <Pairs
        class="facts"
        pairs={[
          ...rows,
          ...(terminal ? [['Terminal', <span dir="auto">{terminal}</span>] as const] : []),
          ...(gate ? [['Gate', <span dir="auto">{gate}</span>] as const] : []),
        ]}
      />
    </section>
  )
}

/** Where and when it leaves and arrives. */
export function Stops({ flight, formats, basePath }: { flight: Flight; formats: Formats; basePath: string }) {
  const exact = flight.datePrecision === 'day'
  const { departure, arrival } = instantsOf(flight)
  const common = { formats, basePath }
  return (
    <div class="stops">
      <Stop
        {...common}
        title="Departure"
        airport={flight.from}
        instant={exact ? departure : null}
        times={[
          ['From the gate', flight.departureScheduled, flight.departure],
          ['Take-off', flight.takeoffScheduled, flight.takeoffActual],
        ]}
        terminal={flight.departureTerminal}
        gate={flight.departureGate}
      />
      <Stop
        {...common}
        title="Arrival"
        airport={flight.to}
        instant={exact ? arrival : null}
        later={daysLater(flight, formats)}
        times={[
          ['Landing', flight.landingScheduled, flight.landingActual],
          ['At the gate', flight.arrivalScheduled, flight.arrival],
        ]}
        terminal={flight.arrivalTerminal}
        gate={flight.arrivalGate}
      />
    </div>
  )
}
