import type { Trip, TripSuggestion } from '../../../../domain/trips/contract.ts'
import { ErrorSummary } from '../../components/fields.tsx'
import { Form, formFields, PostForm } from '../../components/forms.tsx'
import { Pagination } from '../../components/lists.tsx'
import { Flag } from '../../components/marks.tsx'
import { Section } from '../../components/section.tsx'
import { datesOf } from '../../components/trip-dates.ts'
import type { Frame } from '../../framework/context.ts'
import type { Formats } from '../../framework/formats.ts'
import { type FieldErrors, type FormValues, formSpecs } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'
import { useTexts } from '../../framework/localization.ts'
import type { CountryShape, WorldWindow } from '../../maps/world.ts'
import type { PageTexts } from '../../texts/languages.ts'

export const PATH = '/trips'
const SHOWN_SUGGESTIONS = 3
const MAX_FLAGS = 8

type TripTexts = PageTexts['trips']

export const tripSpecs = (t: TripTexts) =>
  formSpecs({
    name: { id: 'name', label: t.name, required: true, maxLength: 100 },
    note: { id: 'note', label: t.note, kind: 'area', rows: 3 },
  })

export type TripEntries = FormValues<ReturnType<typeof tripSpecs>>

export function Flags({ countries, basePath }: Pick<Trip, 'countries'> & { basePath: string }) {
  return (
    <span aria-hidden="true">
      {countries.slice(0, MAX_FLAGS).map((country) => (
        <>
          <Flag key={country} country={country} basePath={basePath} />{' '}
        </>
      ))}
    </span>
  )
}

/** All small maps show parts of one outline. */
function World({ shapes }: { shapes: readonly CountryShape[] }) {
  return (
    <svg class="unseen" aria-hidden="true" focusable="false">
      <symbol id="land" overflow="visible">
        <path d={shapes.map(({ path }) => path).join('')} />
      </symbol>
    </svg>
  )
}

function SmallMap({ viewBox, lines, points }: WorldWindow) {
  return (
    <svg class="mini" viewBox={viewBox} aria-hidden="true" focusable="false">
      <use class="land" href="#land" />
      <path class="legs" d={lines} />
      <path class="spots" d={points.map(([x, y]) => `M${x} ${y}h0`).join('')} />
    </svg>
  )
}

interface TripWithMap {
  trip: Trip
  /** Undefined if the trip has no flights. */
  map: WorldWindow | undefined
}

function TripCard({ trip, map, basePath, formats }: TripWithMap & Pick<Frame, 'basePath' | 'formats'>) {
  const t = useTexts().trips
  return (
    <li>
      <a class="card trip" href={`${basePath}${PATH}/${trip.id}`}>
        {map && <SmallMap {...map} />}
        <strong dir="auto">{trip.name}</strong>
        <span>{datesOf(trip, formats, t)}</span>
        <span class="quiet">
          {trip.flights > 0 && `${t.flights({ count: trip.flights })} · ${formats.distance(trip.distanceKm)} `}
          <Flags countries={trip.countries} basePath={basePath} />
        </span>
      </a>
    </li>
  )
}

type SuggestionProps = Frame & { suggestions: readonly TripSuggestion[] }

/** With the month in the language of the page: the name for the API is English. */
function suggestedName({ name, dateFrom }: TripSuggestion, { monthNames }: Formats, { formats: t }: PageTexts): string {
  const [year, month] = dateFrom.split('-')
  return `${name.slice(0, name.lastIndexOf(', '))}, ${t.month({ month: monthNames[Number(month) - 1]!, year: year! })}`
}

function Suggestion({ suggestion, ...frame }: Frame & { suggestion: TripSuggestion }) {
  const { basePath, viewer, formats } = frame
  const texts = useTexts()
  const t = texts.trips
  const { flightIds } = suggestion
  const name = suggestedName(suggestion, formats, texts)
  const parts = { name, unseen: (text: string) => <span class="unseen">{text}</span> }
  return (
    <li class="card">
      <span>
        <strong dir="auto">{name}</strong>
        <span class="quiet">
          {datesOf(suggestion, formats, t)} · {t.flights({ count: flightIds.length })}
        </span>
      </span>
      <Form
        method="post"
        action={basePath + PATH}
        hidden={{ csrf: viewer.csrf, name, note: '', flightIds: flightIds.join() }}
      >
        <button type="submit">{t.createSuggested(parts)}</button>
      </Form>
    </li>
  )
}

function Suggestions({ suggestions, ...frame }: SuggestionProps) {
  const t = useTexts().trips
  const list = (some: readonly TripSuggestion[]) => (
    <ul class="cards proposals">
      {some.map((suggestion) => (
        <Suggestion key={suggestion.flightIds[0]} suggestion={suggestion} {...frame} />
      ))}
    </ul>
  )
  return (
    <Section id="suggestions" title={t.suggestions}>
      <p class="quiet">{t.suggestionsIntroduction}</p>
      {list(suggestions.slice(0, SHOWN_SUGGESTIONS))}
      {suggestions.length > SHOWN_SUGGESTIONS && (
        <details>
          <summary class="fold">{t.moreSuggestions}</summary>
          {list(suggestions.slice(SHOWN_SUGGESTIONS))}
        </details>
      )}
    </Section>
  )
}

interface ListProps extends SuggestionProps {
  trips: readonly TripWithMap[]
  shapes: readonly CountryShape[]
  nextCursor: string | null
  isFirst: boolean
  canEdit: boolean
  entries: TripEntries
  fieldErrors: FieldErrors
}

export function TripsPage(props: ListProps) {
  const { trips, shapes, suggestions, nextCursor, isFirst, canEdit, entries, fieldErrors, ...frame } = props
  const { basePath, viewer } = frame
  const texts = useTexts()
  const t = texts.trips
  const specs = tripSpecs(t)
  const field = formFields(specs, entries, fieldErrors)
  const hasErrors = Object.keys(fieldErrors).length > 0
  const isEmpty = trips.length === 0 && isFirst
  return (
    <Layout {...frame} title={t.title} fieldErrors={fieldErrors} place="trips">
      <h1>{t.title}</h1>
      <p class="quiet">{isEmpty ? t.noTrips : t.introduction}</p>
      <ErrorSummary fieldErrors={fieldErrors} fields={specs} />
      {trips.length > 0 && (
        <>
          <World shapes={shapes} />
          <ul class="cards trips" id="trips">
            {trips.map((each) => (
              <TripCard key={each.trip.id} {...each} {...frame} />
            ))}
          </ul>
        </>
      )}
      {(nextCursor !== null || !isFirst) && (
        <Pagination
          label={texts.forms.pages}
          back={!isFirst && { href: basePath + PATH, text: t.newest }}
          next={nextCursor !== null && { href: `${basePath}${PATH}?cursor=${nextCursor}`, text: t.earlier }}
        />
      )}
      {canEdit && suggestions.length > 0 && <Suggestions suggestions={suggestions} {...frame} />}
      {canEdit && (
        <details class="new" open={hasErrors || (isEmpty && suggestions.length === 0)}>
          <summary class="button">{t.newTrip}</summary>
          <PostForm action={basePath + PATH} csrf={viewer.csrf} submit={t.create}>
            {field('name')}
            {field('note')}
          </PostForm>
        </details>
      )}
    </Layout>
  )
}

interface EditProps extends Frame {
  trip: Trip
  entries: TripEntries
  fieldErrors: FieldErrors
}

export function EditTripPage({ trip, entries, fieldErrors, ...frame }: EditProps) {
  const t = useTexts().trips
  const specs = tripSpecs(t)
  const field = formFields(specs, entries, fieldErrors)
  const path = `${frame.basePath}${PATH}/${trip.id}`
  const title = t.editTitle({ name: trip.name })
  return (
    <Layout {...frame} title={title} fieldErrors={fieldErrors} place="trips" below>
      <p class="crumb">
        <a href={path} dir="auto">
          {trip.name}
        </a>
      </p>
      <h1 dir="auto">{title}</h1>
      <ErrorSummary fieldErrors={fieldErrors} fields={specs} />
      <PostForm action={`${path}/edit`} csrf={frame.viewer.csrf} submit={t.save}>
        {field('name')}
        {field('note')}
      </PostForm>
    </Layout>
  )
}
