import { formats as fileFormats } from '../../../../domain/transfer/formats/registry.ts'
import type { MissingAirport, PreviewRow } from '../../../../domain/transfer/preview.ts'
import { laterBy } from '../../components/clocks.tsx'
import { FaultSummary } from '../../components/fields.tsx'
import { formFields, PostForm } from '../../components/forms.tsx'
import { ListTable, Pairs } from '../../components/lists.tsx'
import type { Option } from '../../components/lookup.ts'
import { LookupField } from '../../components/lookup-field.tsx'
import { Crumb } from '../../components/section.tsx'
import type { Frame } from '../../framework/context.ts'
import type { Formats } from '../../framework/formats.ts'
import type { Faults } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'
import { Rejected } from './import-done.tsx'
import { CHECK_PATH, choiceSpecs, IMPORT_PATH, type ImportNote, placeField } from './import-steps.ts'

export interface CheckState {
  note: ImportNote
  /** Milliseconds. */
  until: number
  form: URLSearchParams
  faults: Faults
  /** Airports that match an ambiguous text, by field. */
  options: Record<string, readonly Option[]>
}

interface CheckProps extends Frame, CheckState {
  nameOf: (airportId: number) => string
}

function Times({ row, formats }: { row: PreviewRow; formats: Formats }) {
  if (row.departure === null) return null
  const departure = formats.time(row.departure, row.from.timezone)
  const arrival = row.arrival === null ? undefined : formats.time(row.arrival, row.to.timezone)
  const later = arrival ? laterBy(departure.day, arrival.day) : ''
  return (
    <span class="beside">
      {departure.text}
      {arrival && ` – ${arrival.text}`}
      {later && ` (${later})`}
      {formats.shownIn !== 'airport' && ' UTC'}
    </span>
  )
}

function PreviewTable({ rows, formats }: { rows: readonly PreviewRow[]; formats: Formats }) {
  return (
    <ListTable
      class="preview"
      stacked
      caption={rows.length === 1 ? 'The flight' : `The first ${rows.length} flights`}
      titled
      rows={rows}
      columns={[
        {
          title: 'Date',
          names: true,
          cell: (row) => (
            <>
              {formats.day(row.date, row.datePrecision)}
              <Times row={row} formats={formats} />
            </>
          ),
        },
        {
          title: 'Route',
          cell: ({ from, to }) => (
            <>
              {from.code} – {to.code}
              <span class="beside" dir="auto">
                {from.name} – {to.name}
              </span>
            </>
          ),
        },
        {
          title: 'Flight',
          cell: ({ flightNumber, airline, aircraft }) => (
            <span dir="auto">
              {flightNumber ?? airline}
              <span class="beside">
                {[flightNumber === null ? null : airline, aircraft].filter(Boolean).join(', ')}
              </span>
            </span>
          ),
        },
        { title: 'State', cell: ({ isNew }) => (isNew ? 'New' : <span class="quiet">Duplicate</span>) },
      ]}
    />
  )
}

function Summary({ note: { seen }, formats }: CheckProps) {
  if (!seen) {
    return (
      <p class="warning">
        This backup contains flights of several users, and none of them has your user name. Choose below which one is
        you.
      </p>
    )
  }
  const { report, preview } = seen
  return (
    <>
      <p class="recognised">
        Recognised: <strong>{fileFormats[preview.format].title}</strong>, {formats.flights(report.rows)}
      </p>
      <Pairs
        class="figures"
        pairs={[
          ['New', formats.count(report.created)],
          ['Duplicates', formats.count(report.duplicates)],
          ['Rejected', formats.count(report.leftOut)],
        ]}
      />
      {preview.rows.length > 0 && <PreviewTable rows={preview.rows} formats={formats} />}
    </>
  )
}

/** The choices that the format of the file offers. */
function ChoiceFields({ note, faults, viewer }: CheckProps) {
  const { choices, seen, asks } = note
  const field = formFields(choiceSpecs, choices, faults)
  const takes = seen ? fileFormats[seen.preview.format].takes : asks ? (['mode', 'fileUser'] as const) : []
  const users = asks?.users ?? seen?.preview.users ?? []
  const has = (name: (typeof takes)[number]) => takes.some((taken) => taken === name)
  if (takes.length === 0) return null
  return (
    <details class="more-choices" open={asks !== undefined || choices.mode !== '' || choices.others}>
      <summary class="fold">Whose flights</summary>
      {has('fileUser') &&
        field('fileUser', {
          options: [
            { value: '', label: asks ? 'Choose one' : 'Detect by my name' },
            ...users.map((name) => ({ value: name, label: name })),
          ],
        })}
      {has('mineOnly') && field('others')}
      {has('mode') && viewer.permissions.has('flight.import.any') && (
        <>
          {field('mode')}
          <p class="warning">
            Restoring a backup adds flights to the logs of all users that it names, and creates missing airports,
            airlines and aircraft types.
          </p>
        </>
      )}
      <p class="actions">
        <button type="submit" name="do" value="check">
          Update preview
        </button>
      </p>
    </details>
  )
}

/** The form for a new airport, filled with the data from the file. */
function createAddress(basePath: string, { code, by, record }: MissingAirport): string {
  const facts = record ?? { [by === 'icao' || code.length > 3 ? 'icao' : 'iata']: code }
  const query = new URLSearchParams({ next: basePath + CHECK_PATH })
  for (const [name, value] of Object.entries(facts)) if (value !== null) query.set(name, String(value))
  return `${basePath}/admin/reference/airports/new?${query}`
}

function BackupAdvice({ viewer }: Pick<Frame, 'viewer'>) {
  if (!viewer.permissions.has('data.airports.manage')) {
    return (
      <p class="warning">
        The file describes these airports. An administrator can create them, or restore the whole backup, which creates
        them.
      </p>
    )
  }
  return (
    <p class="warning">
      The file describes these airports. Create them below to import their flights too.
      {viewer.permissions.has('flight.import.any') && ' Restoring the whole backup creates them.'}
    </p>
  )
}

function MissingAirports({ basePath, viewer, formats, note, form, faults, options, nameOf }: CheckProps) {
  const { format, missing, moreMissing } = note.seen!.preview
  const canCreate = viewer.permissions.has('data.airports.manage')
  const replaced = Object.entries(note.airports)
  const described = missing.filter(({ record }) => record !== null).length
  if (missing.length === 0 && replaced.length === 0) return null
  return (
    <fieldset class="missing" id="missing">
      <legend>Unknown airports</legend>
      {replaced.length > 0 && (
        <p>
          {replaced.map(([code, id]) => `${code} is replaced with ${nameOf(id)}. `)}
          <button class="plain" type="submit" name="do" value="forget">
            Undo
          </button>
        </p>
      )}
      {format === 'backup' && note.choices.mode === '' && described > 0 && <BackupAdvice viewer={viewer} />}
      {missing.map((airport) => {
        const { code, rows, record } = airport
        const name = placeField(code)
        return (
          <div key={code} class="place">
            <LookupField
              basePath={basePath}
              kind="airport"
              name={name}
              label={`Replace ${code} with`}
              hint={
                <span dir="auto">
                  Used by {formats.flights(rows)}.{record && ` The file calls it ${record.name}.`}
                </span>
              }
              form={form}
              fault={faults[name]}
              options={options[name]}
            />
            {canCreate && <a href={createAddress(basePath, airport)}>Create airport {code}</a>}
          </div>
        )
      })}
      {moreMissing > 0 && <p class="quiet">And {formats.count(moreMissing)} more airports.</p>}
      {missing.length > 0 && (
        <p class="actions">
          <button type="submit" name="do" value="check">
            Update preview
          </button>{' '}
          {canCreate && described > 0 && (
            <button type="submit" name="do" value="make">
              Create {described === 1 ? 'the airport' : `the ${described} airports`} that the file describes
            </button>
          )}
        </p>
      )}
    </fieldset>
  )
}

export function ImportCheckPage(props: CheckProps) {
  const { note, until, faults, basePath, viewer, formats } = props
  const { seen } = note
  const created = seen?.report.created ?? 0
  const expiresAt = new Date(until).toISOString()
  const places = (seen?.preview.missing ?? []).map(({ code }) => [
    placeField(code),
    { id: placeField(code), label: `Airport ${code}` },
  ])
  const fields = { ...choiceSpecs, file: { id: 'content', label: 'File' }, ...Object.fromEntries(places) }
  return (
    <Layout {...props} title="Import preview – Paxlog" place="home" below>
      <Crumb href={basePath + IMPORT_PATH}>Import</Crumb>
      <h1>Import preview</h1>
      <FaultSummary faults={faults} fields={fields} />
      <Summary {...props} />
      <PostForm
        action={basePath + CHECK_PATH}
        csrf={viewer.csrf}
        submit={
          <>
            {created > 0 && (
              <button class="primary" type="submit" name="do" value="import">
                Import {formats.flights(created)}
              </button>
            )}
            {seen && created === 0 && <strong>This file contains no new flights.</strong>}{' '}
            <button type="submit" name="do" value="discard">
              Discard
            </button>
          </>
        }
      >
        {seen && <MissingAirports {...props} />}
        <ChoiceFields {...props} />
        <p class="quiet">
          Nothing has been imported yet. The file is kept until{' '}
          <time dateTime={expiresAt}>{formats.moment(expiresAt)}</time>.
        </p>
      </PostForm>
      {seen && <Rejected report={seen.report} format={seen.preview.format} formats={formats} />}
    </Layout>
  )
}
