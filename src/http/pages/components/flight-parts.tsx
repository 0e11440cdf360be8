import type { ActivityEntry } from '../../../domain/activity/contract.ts'
import type { Flight } from '../../../domain/flights/contract.ts'
import type { Frame } from '../framework/context.ts'
import type { Formats } from '../framework/formats.ts'
import { DangerForm } from './forms.tsx'

/** What several pages say of a flight. */

export interface Place {
  code: string
  name: string
  municipality: string | null
}

const End = ({ place }: { place: Place }) => (
  <span class="end">
    <strong>{place.code}</strong>{' '}
    <span class="quiet" dir="auto">
      {place.municipality ?? place.name}
    </span>
  </span>
)

/** From where to where. */
export const Way = ({ from, to }: { from: Place; to: Place }) => (
  <>
    <End place={from} />
    <span class="leg">
      <span class="unseen"> to </span>
    </span>
    <End place={to} />
  </>
)

export interface FlightHistory {
  created: ActivityEntry | undefined
  changed: ActivityEntry | undefined
}

/** Who made the flight and changed it last, as far as it is known. */
export function History({ history: { created, changed }, formats }: { history: FlightHistory; formats: Formats }) {
  const told = ({ actor, at }: ActivityEntry) => `${actor?.username ?? 'the operator'} on ${formats.moment(at)}`
  const sentences = [created && `Added by ${told(created)}.`, changed && `Last changed by ${told(changed)}.`]
  return created || changed ? <p class="quiet history">{sentences.filter(Boolean).join(' ')}</p> : null
}

type RemovalProps = Pick<Frame, 'basePath' | 'viewer'> & { flight: Flight }

/** What goes with a flight, before it is deleted. */
export function FlightRemoval({ flight, basePath, viewer }: RemovalProps) {
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
