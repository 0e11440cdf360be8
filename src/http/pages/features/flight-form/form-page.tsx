import type { Flight } from '../../../../domain/flights/contract.ts'
import { codeOf } from '../../../../domain/reference/contract.ts'
import { ErrorSummary } from '../../components/fields.tsx'
import { type FlightHistory, FlightRemoval, History } from '../../components/flight-parts.tsx'
import { PostForm } from '../../components/forms.tsx'
import { DataTable } from '../../components/lists.tsx'
import { Crumb } from '../../components/section.tsx'
import { assets } from '../../framework/assets.ts'
import type { Frame } from '../../framework/context.ts'
import type { Formats } from '../../framework/formats.ts'
import { Layout } from '../../framework/layout.tsx'
import { useTexts } from '../../framework/localization.ts'
import type { PageTexts } from '../../texts/languages.ts'
import { DocumentForm } from './document-fields.tsx'
import type { FormProps } from './fields.tsx'
import { type Definitions, timeNames } from './flight.ts'
import { NewRecord, newRecordSpecs, type PendingRecord } from './new-record.tsx'
import type { NumberOption } from './numbers.ts'
import { ownRow, type Person, rowNumber } from './passengers.tsx'
import type { FormTexts, Reading } from './reading.ts'
import { Essentials, FlightDetails, PeopleAndNotes } from './sections.tsx'
import type { Zones } from './times.ts'

export interface FormState extends Pick<Reading, 'form'>, Partial<Pick<Reading, 'fieldErrors' | 'choices'>> {
  addedRow?: number
  pending?: PendingRecord
  found?: readonly NumberOption[]
  /** The fields of the stored flight, if another request has changed it meanwhile. */
  current?: URLSearchParams
}

interface Props extends Frame, FormState, Pick<FormProps, 'canCreate'> {
  /** Undefined for a new flight. */
  stored: Flight | undefined
  definitions: Definitions
  people: readonly Person[]
  /** The id of the user who fills in the form. */
  author: string
  canManage: boolean
  canDelete: boolean
  canReadDocuments: boolean
  restorableDays: number
  zones: Zones
  history: FlightHistory | undefined
}

function fieldOf(name: string, { flight, passenger }: Definitions, form: URLSearchParams, texts: PageTexts) {
  const t = texts.flightForm
  const labels: Record<string, string> = t.fields
  const passengerLabels: Record<string, string> = { ...texts.seats.labels, remove: t.removePassenger }
  const [, row, member = ''] = /^passengers\.(\d+)\.(.+)$/.exec(name) ?? []
  const key = /customFields\.(.+)$/.exec(name)?.[1]
  const custom = (row === undefined ? flight : passenger).find((definition) => definition.key === key)
  const label = custom?.label ?? (row === undefined ? labels[name] : passengerLabels[member]) ?? name
  return {
    id: timeNames.has(name) ? `${name}.clock` : name,
    label: row === undefined ? label : t.passengerField({ number: rowNumber(form, Number(row)), label }),
  }
}

const isInternal = (name: string) =>
  /^(csrf|author|version|rows|first|more|follow|lookUp|take)$|\.(id|asked)$/.test(name)

/** The labels of values with a fixed set of choices, by field. */
const choiceLabels = ({ flightForm: t, seats }: PageTexts): Record<string, Readonly<Record<string, string>>> => ({
  datePrecision: t.precisions,
  seat: seats.seats,
  seatClass: seats.classes,
  flightReason: seats.reasons,
  remove: { yes: t.yes },
})

interface ConflictProps extends Pick<Props, 'form' | 'people' | 'definitions'> {
  current: URLSearchParams
  page: string
}

function Conflict({ current, form, people, definitions, page }: ConflictProps) {
  const texts = useTexts()
  const t = texts.flightForm
  const labels = choiceLabels(texts)
  const textOf = (fields: URLSearchParams, name: string) => {
    const [, member = name] = /^passengers\.\d+\.(\w+)$/.exec(name) ?? []
    const labelOfValue = (value: string) =>
      member === 'who' ? people.find(({ id }) => id === value)?.displayName : labels[member]?.[value]
    const shown = fields.getAll(name).map((value) => labelOfValue(value) ?? value)
    return shown.join(', ').replaceAll('\r\n', '\n')
  }
  const labelOf = (name: string) => fieldOf(name.replace(/\.(clock|day)$/, ''), definitions, form, texts).label
  const rows = [...new Set([...form.keys(), ...current.keys()])]
    .filter((name) => !isInternal(name))
    .map((name) => ({ name, stored: textOf(current, name), typed: textOf(form, name) }))
    .filter(({ stored, typed }) => stored !== typed)
  return (
    <div class="summary" role="alert">
      <p>
        <strong>{t.conflict}</strong>
      </p>
      {rows.length === 0 ? (
        <p>{t.sameValues}</p>
      ) : (
        <DataTable
          caption={t.differences}
          titled
          rows={rows}
          columns={[
            { title: t.field, cell: ({ name }) => labelOf(name), names: true },
            { title: t.storedValue, cell: ({ stored }) => stored || '–' },
            { title: t.yourValue, cell: ({ typed }) => typed || '–' },
          ]}
        />
      )}
      <p>{t.resolveConflict({ link: (text) => <a href={page}>{text}</a> })}</p>
    </div>
  )
}

const factsOf = (flight: Flight, formats: Formats, t: FormTexts) =>
  [
    formats.day(flight.date, flight.datePrecision),
    formats.distanceOf(flight),
    flight.track && t.trackOf({ count: flight.track.pointCount }),
  ]
    .filter(Boolean)
    .join(' · ')

export function FlightPage(props: Props) {
  const { basePath, viewer, form, stored, definitions, canManage, pending, current, canCreate, restorableDays } = props
  const { canReadDocuments } = props
  const texts = useTexts()
  const { flightForm: t, frame } = texts
  const ends = stored && { from: codeOf(stored.from), to: codeOf(stored.to) }
  const title = ends ? t.edit(ends) : t.add
  const { fieldErrors: ownErrors = {}, choices = {} } = props
  const fieldErrors = { ...pending?.fieldErrors, ...ownErrors }
  const fields = Object.fromEntries(
    Object.keys(ownErrors).map((name) => [name, fieldOf(name, definitions, form, texts)]),
  )
  const canEditSeat = !stored || canManage
  const seatRow = canEditSeat ? ownRow(form, props.author) : undefined
  const common = { basePath, form, fieldErrors: ownErrors, choices, canCreate }
  return (
    <Layout
      {...props}
      title={current ? frame.titleWithErrors({ title }) : title}
      fieldErrors={fieldErrors}
      place="home"
      below
      scripts={canReadDocuments ? [assets.flightForm, assets.travelDocument] : [assets.flightForm]}
    >
      <Crumb href={basePath || '/'}>{t.flights}</Crumb>
      <h1>{ends ? t.route(ends) : t.add}</h1>
      {stored && <p class="quiet">{factsOf(stored, props.formats, t)}</p>}
      {props.history && <History history={props.history} formats={props.formats} />}
      <ErrorSummary fieldErrors={fieldErrors} fields={{ ...(pending && newRecordSpecs[pending.kind]), ...fields }} />
      {current && stored && (
        <Conflict
          {...{ current, form, definitions }}
          people={props.people}
          page={`${basePath}/flights/${stored.id}/edit`}
        />
      )}
      {canReadDocuments && <DocumentForm basePath={basePath} csrf={viewer.csrf} />}
      <PostForm
        action={`${basePath}/flights/${stored ? `${stored.id}/edit` : 'new'}`}
        csrf={viewer.csrf}
        hidden={{ author: props.author, version: form.get('version') }}
        class="flight"
        submit={
          <>
            <button class="primary" type="submit">
              {t.save}
            </button>
            {!stored && (
              <button type="submit" name="follow" value="another">
                {t.saveAndAdd}
              </button>
            )}
          </>
        }
      >
        {/* The Enter key presses the first button of a form. */}
        <button
          class="unseen"
          type="submit"
          tabIndex={-1}
          aria-hidden="true"
          {...(pending && { name: 'made', value: pending.field })}
        >
          {t.save}
        </button>
        {pending && <NewRecord form={form} pending={pending} />}
        <Essentials
          {...common}
          zones={props.zones}
          found={props.found}
          isNew={!stored}
          {...{ canReadDocuments, ownRow: seatRow }}
        />
        <FlightDetails {...common} isNew={!stored} />
        <PeopleAndNotes
          {...common}
          isNew={!stored}
          people={props.people}
          author={props.author}
          canManage={canManage}
          definitions={definitions.passenger}
          flightDefinitions={definitions.flight}
          addedRow={props.addedRow}
          stored={stored}
        />
      </PostForm>
      {stored && props.canDelete && <FlightRemoval {...{ basePath, viewer, restorableDays }} flight={stored} />}
    </Layout>
  )
}
