import { formats as fileFormats } from '../../../../domain/transfer/formats/registry.ts'
import type { ImportPreview, PreviewRow } from '../../../../domain/transfer/preview.ts'
import { laterBy } from '../../components/clocks.tsx'
import { FaultSummary } from '../../components/fields.tsx'
import { formFields, PostForm } from '../../components/forms.tsx'
import { ListTable, Pairs } from '../../components/lists.tsx'
import { Crumb } from '../../components/section.tsx'
import type { Frame } from '../../framework/context.ts'
import type { Formats } from '../../framework/formats.ts'
import { Layout } from '../../framework/layout.tsx'
import { MissingAirports, type MissingProps } from './import-missing.tsx'
import { LeftOut } from './import-report.tsx'
import { choiceSpecs, placeField } from './import-steps.ts'

interface CheckProps extends Frame, MissingProps {
  /** Milliseconds. */
  until: number
}

function Times({ row, formats }: { row: PreviewRow; formats: Formats }) {
  if (row.departure === null) return null
  const left = formats.time(row.departure, row.from.timezone)
  const arrived = row.arrival === null ? undefined : formats.time(row.arrival, row.to.timezone)
  const later = arrived ? laterBy(left.day, arrived.day) : ''
  return (
    <span class="beside">
      {left.text}
      {arrived && ` – ${arrived.text}`}
      {later && ` (${later})`}
      {formats.shownIn !== 'airport' && ' UTC'}
    </span>
  )
}

function Preview({ rows, formats }: { rows: readonly PreviewRow[]; formats: Formats }) {
  return (
    <ListTable
      class="preview"
      stacked
      caption={rows.length === 1 ? 'The flight as it will be' : `The first ${rows.length} flights as they will be`}
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

function Found({ note, formats }: Pick<CheckProps, 'note' | 'formats'> & { preview?: ImportPreview }) {
  const { seen, asks } = note
  if (!seen) return <p class="warning">{asks?.sentence} Choose below whose flights are yours.</p>
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
          ['Cannot be read', formats.count(report.leftOut)],
        ]}
      />
      {preview.rows.length > 0 && <Preview rows={preview.rows} formats={formats} />}
    </>
  )
}

/** What belongs to this kind of file alone. */
function ChoiceFields({ note, faults, may }: Pick<CheckProps, 'note' | 'faults' | 'may'>) {
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
            { value: '', label: asks ? 'Choose one' : 'Find out by my name' },
            ...users.map((name) => ({ value: name, label: name })),
          ],
        })}
      {has('mineOnly') && field('others')}
      {has('mode') && may.restore && (
        <>
          {field('mode')}
          <p class="warning">
            Restoring a whole backup adds flights to the logs of all users whose names it holds, and makes airports,
            airlines and aircraft types that are missing.
          </p>
        </>
      )}
      <p class="actions">
        <button type="submit" name="do" value="check">
          Check again
        </button>
      </p>
    </details>
  )
}

export function ImportCheckPage(props: CheckProps) {
  const { note, until, form, faults, options, nameOf, may, ...frame } = props
  const { basePath, viewer, formats } = frame
  const { seen } = note
  const created = seen?.report.created ?? 0
  const places = (seen?.preview.missing ?? []).map(({ code }) => placeField(code))
  const fields = {
    ...choiceSpecs,
    file: { id: 'content', label: 'File' },
    ...Object.fromEntries(places.map((name) => [name, { id: name, label: `Airport ${name.slice(6)}` }])),
  }
  return (
    <Layout {...frame} title="Check the import – Paxlog" faults={faults} place="home" below>
      <Crumb href={`${basePath}/import`}>Import</Crumb>
      <h1>Check the import</h1>
      <FaultSummary faults={faults} fields={fields} />
      <Found note={note} formats={formats} />
      <PostForm
        action={`${basePath}/import/check`}
        csrf={viewer.csrf}
        submit={
          <>
            {created > 0 && (
              <button class="primary" type="submit" name="do" value="import">
                Import {formats.flights(created)}
              </button>
            )}
            {seen && created === 0 && <strong>Nothing in this file is new.</strong>}{' '}
            <button type="submit" name="do" value="discard">
              Throw the file away
            </button>
          </>
        }
      >
        {seen && <MissingAirports {...{ basePath, note, form, faults, options, nameOf, may, formats }} />}
        <ChoiceFields note={note} faults={faults} may={may} />
        <p class="quiet">
          Nothing was kept in your log yet. The file waits here until{' '}
          <time dateTime={new Date(until).toISOString()}>{formats.moment(new Date(until).toISOString())}</time>.
        </p>
      </PostForm>
      {seen && <LeftOut report={seen.report} format={seen.preview.format} formats={formats} />}
    </Layout>
  )
}
