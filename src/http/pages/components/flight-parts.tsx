import type { ActivityEntry } from '../../../domain/activity/contract.ts'
import type { Flight } from '../../../domain/flights/contract.ts'
import type { Frame } from '../framework/context.ts'
import type { Formats } from '../framework/formats.ts'
import { useTexts } from '../framework/localization.ts'
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

export const RouteLabel = ({ from, to }: { from: Place; to: Place }) => (
  <>
    <End place={from} />
    <span class="leg">
      <span class="unseen">{useTexts().flightList.fromTo}</span>
    </span>
    <End place={to} />
  </>
)

export interface FlightHistory {
  created: ActivityEntry | undefined
  changed: ActivityEntry | undefined
}

export function History({ history: { created, changed }, formats }: { history: FlightHistory; formats: Formats }) {
  const t = useTexts().flightParts
  function sentence({ actor, at }: ActivityEntry, by: typeof t.addedBy, byOperator: typeof t.addedByOperator): string {
    const moment = formats.moment(at)
    return actor ? by({ name: actor.username, moment }) : byOperator({ moment })
  }
  if (!created && !changed) return null
  const sentences = [
    created && sentence(created, t.addedBy, t.addedByOperator),
    changed && sentence(changed, t.changedBy, t.changedByOperator),
  ]
  return <p class="quiet history">{sentences.filter(Boolean).join(' ')}</p>
}

type RemovalProps = Pick<Frame, 'basePath' | 'viewer'> & {
  flight: Flight
  /** Days in which the deleted flight can be restored. */
  restorableDays: number
}

export function FlightRemoval({ flight, basePath, viewer, restorableDays }: RemovalProps) {
  const t = useTexts().flightParts
  const count = flight.passengers.length
  const sentences = [
    count > 2 ? t.deletedFromAll({ count }) : count === 2 ? t.deletedFromBoth : t.deletedFromLog,
    flight.note && flight.track ? t.withNoteAndTrack : flight.note ? t.withNote : flight.track ? t.withTrack : '',
    restorableDays > 0 ? t.restorable({ count: restorableDays }) : t.final,
  ]
  return (
    <div class="removal">
      <DangerForm
        action={`${basePath}/flights/${flight.id}/delete`}
        csrf={viewer.csrf}
        summary={t.deleteThis}
        button={t.delete}
      >
        <p>{sentences.filter(Boolean).join(' ')}</p>
      </DangerForm>
    </div>
  )
}
