import type { ActivityEntry } from '../../../domain/activity/contract.ts'
import type { Flight } from '../../../domain/flights/contract.ts'
import type { Frame } from '../framework/context.ts'
import type { Formats } from '../framework/formats.ts'
import { DangerForm } from './forms.tsx'

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

export function History({ history: { created, changed }, formats }: { history: FlightHistory; formats: Formats }) {
  const textOf = ({ actor, at }: ActivityEntry) => `${actor?.username ?? 'the operator'} on ${formats.moment(at)}`
  const sentences = [created && `Added by ${textOf(created)}.`, changed && `Last changed by ${textOf(changed)}.`]
  return created || changed ? <p class="quiet history">{sentences.filter(Boolean).join(' ')}</p> : null
}

type RemovalProps = Pick<Frame, 'basePath' | 'viewer'> & { flight: Flight }

export function FlightRemoval({ flight, basePath, viewer }: RemovalProps) {
  const count = flight.passengers.length
  const from = count > 1 ? `the logs of ${count === 2 ? 'both' : `all ${count}`} passengers` : 'the log'
  const withIt = [flight.note && 'its note', flight.track && 'its track'].filter(Boolean).join(' and ')
  return (
    <div class="removal">
      <DangerForm
        action={`${basePath}/flights/${flight.id}/delete`}
        csrf={viewer.csrf}
        summary="Delete this flight"
        button="Delete flight"
      >
        <p>
          This flight will be deleted from {from}
          {withIt && `, with ${withIt}`}. This cannot be undone.
        </p>
      </DangerForm>
    </div>
  )
}
