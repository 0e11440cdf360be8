import type { ComponentChildren } from 'preact'
import type { LogSort } from '../../../../domain/flights/query/log-sort.ts'
import type { LogFlight, LogPage } from '../../../../domain/flights/query/user-log.ts'
import { codeOf } from '../../../../domain/reference/contract.ts'
import type { Share } from '../../../../domain/shares/contract.ts'
import type { Trip } from '../../../../domain/trips/contract.ts'
import { daysBetween } from '../../../../lib/dates.ts'
import type { BulkActions } from '../../components/bulk-form.tsx'
import { Choice } from '../../components/fields.tsx'
import { FlightLog } from '../../components/flight-log.tsx'
import { DangerForm, PostForm } from '../../components/forms.tsx'
import { Pairs } from '../../components/lists.tsx'
import { Crumb, Section } from '../../components/section.tsx'
import { datesOf } from '../../components/trip-dates.ts'
import type { Frame } from '../../framework/context.ts'
import { Layout } from '../../framework/layout.tsx'
import { useTexts } from '../../framework/localization.ts'
import { Atlas, atlasScripts, userAtlas } from '../../maps/atlas.tsx'
import type { MapDrawing } from '../../maps/draw.ts'
import { Flags, PATH } from './trip-list.tsx'

export const TRAVEL_ORDER = { by: 'date', order: 'asc' } as const satisfies LogSort

interface Props extends Frame {
  trip: Trip
  log: LogPage
  bulk: BulkActions
  map: MapDrawing | undefined
  shares: readonly Share[]
  /** Flights without a trip. */
  loose: readonly LogFlight[]
  can: { edit: boolean; share: boolean }
}

function TripFigures({ trip, formats }: Pick<Props, 'trip' | 'formats'>) {
  const t = useTexts().trips.figures
  const { flights, distanceKm, countries, dateFrom, dateTo } = trip
  const pairs: [string, string][] = [
    [t.flights({ count: flights }), formats.count(flights)],
    [t.distance, formats.distance(distanceKm)],
    [t.countries({ count: countries.length }), formats.count(countries.length)],
  ]
  const days = dateFrom === null || dateTo === null ? undefined : daysBetween(dateFrom, dateTo)
  if (days !== undefined) pairs.push([t.days({ count: days + 1 }), formats.count(days + 1)])
  return <Pairs class="headline" pairs={pairs} />
}

function Shares({ trip, shares, can, basePath, viewer }: Props) {
  const t = useTexts().trips
  if (!can.share && shares.length === 0) return null
  return (
    <details>
      <summary class="button">{t.share}</summary>
      {shares.map(({ id, slug }) => (
        <p key={id}>
          {t.shareOf({
            slug,
            link: (text) => (
              <a class="standalone" href={`${basePath}/share/${slug}`}>
                {text}
              </a>
            ),
          })}
        </p>
      ))}
      {can.share && (
        <PostForm action={`${basePath}${PATH}/${trip.id}/share`} csrf={viewer.csrf} submit={t.createShare}>
          <p>{t.shareHint}</p>
        </PostForm>
      )}
    </details>
  )
}

function AddFlights({ trip, loose, basePath, viewer, formats }: Props) {
  const t = useTexts().trips
  return (
    <details class="new" open={trip.flights === 0}>
      <summary class="button">{t.addFlights}</summary>
      {loose.length === 0 ? (
        <p class="card">{t.noneToAdd}</p>
      ) : (
        <PostForm action={`${basePath}${PATH}/${trip.id}`} csrf={viewer.csrf} submit={t.addChosen}>
          <fieldset>
            <legend>{t.addFlights}</legend>
            <p class="hint">{t.addFlightsHint}</p>
            {loose.map(({ id, date, datePrecision, from, to }) => (
              <Choice key={id} name="flightIds" value={String(id)} checked={false}>
                {t.choosable({ date: formats.day(date, datePrecision), from: codeOf(from), to: codeOf(to) })}
              </Choice>
            ))}
          </fieldset>
        </PostForm>
      )}
    </details>
  )
}

function Actions(props: Props) {
  const { trip, can, basePath, viewer } = props
  const t = useTexts().trips
  const path = `${basePath}${PATH}/${trip.id}`
  return (
    <div class="trip-actions">
      {can.edit && (
        <a class="button" href={`${path}/edit`}>
          {t.edit}
        </a>
      )}
      <Shares {...props} />
      {can.edit && (
        <DangerForm action={`${path}/delete`} csrf={viewer.csrf} summary={t.delete} button={t.deleteThis}>
          <p>{t.deleteWarning}</p>
        </DangerForm>
      )}
    </div>
  )
}

const Note = ({ children }: { children: ComponentChildren }) => (
  <Section id="note" title={useTexts().trips.note}>
    <p class="note" dir="auto">
      {children}
    </p>
  </Section>
)

export function TripPage(props: Props) {
  const { trip, log, bulk, map, can, basePath, formats, viewer } = props
  const t = useTexts().trips
  return (
    <Layout {...props} title={trip.name} place="trips" below scripts={map ? atlasScripts : []}>
      <Crumb href={basePath + PATH}>{t.title}</Crumb>
      <h1 dir="auto">{trip.name}</h1>
      <p>
        {datesOf(trip, formats, t)} <Flags countries={trip.countries} basePath={basePath} />
      </p>
      {trip.flights > 0 && <TripFigures trip={trip} formats={formats} />}
      {trip.flights === 0 && <p class="card empty">{t.empty}</p>}
      <Actions {...props} />
      {map && (
        <Section id="places" title={t.map} untitled>
          <Atlas size="low" drawing={map} {...userAtlas({ basePath, query: `tripId=${trip.id}` })} />
        </Section>
      )}
      {trip.flights > 0 && (
        <FlightLog
          {...{ log, bulk, formats, basePath, viewer }}
          path={`${PATH}/${trip.id}`}
          query=""
          unsorted={TRAVEL_ORDER}
          inTrip
        />
      )}
      {can.edit && <AddFlights {...props} />}
      {trip.note && <Note>{trip.note}</Note>}
    </Layout>
  )
}
