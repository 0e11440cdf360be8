import { formats as fileFormats } from '../../../../domain/transfer/formats/registry.ts'
import type { MissingAirport, PreviewRow } from '../../../../domain/transfer/preview.ts'
import { laterBy } from '../../components/clocks.tsx'
import { ErrorSummary } from '../../components/fields.tsx'
import { formFields, PostForm } from '../../components/forms.tsx'
import { ListTable, Pairs } from '../../components/lists.tsx'
import type { Option } from '../../components/lookup.ts'
import { LookupField } from '../../components/lookup-field.tsx'
import { Crumb } from '../../components/section.tsx'
import { assets } from '../../framework/assets.ts'
import type { Frame } from '../../framework/context.ts'
import type { Formats } from '../../framework/formats.ts'
import type { FieldErrors } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'
import { useTexts } from '../../framework/localization.ts'
import { Rejected } from './import-done.tsx'
import { cellSpecs, FixRows } from './import-fix-rows.tsx'
import { ProgressBar } from './import-progress.tsx'
import { CHECK_PATH, choiceSpecs, formatTitle, IMPORT_PATH, type ImportNote, placeField } from './import-steps.ts'

export interface CheckState {
  note: ImportNote
  /** Milliseconds. */
  until: number
  form: URLSearchParams
  fieldErrors: FieldErrors
  /** Airports that match an ambiguous text, by field. */
  options: Record<string, readonly Option[]>
}

interface CheckProps extends Frame, CheckState {
  nameOf: (airportId: number) => string | undefined
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
  const t = useTexts().importFlights
  return (
    <ListTable
      class="preview"
      stacked
      caption={t.firstFlights({ count: rows.length })}
      titled
      rows={rows}
      columns={[
        {
          title: t.date,
          names: true,
          cell: (row) => (
            <>
              {formats.day(row.date, row.datePrecision)}
              <Times row={row} formats={formats} />
            </>
          ),
        },
        {
          title: t.route,
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
          title: t.flight,
          cell: ({ flightNumber, airline, aircraft }) => (
            <span dir="auto">
              {flightNumber ?? airline}
              <span class="beside">
                {[flightNumber === null ? null : airline, aircraft].filter(Boolean).join(', ')}
              </span>
            </span>
          ),
        },
        { title: t.state, cell: ({ isNew }) => (isNew ? t.new : <span class="quiet">{t.duplicate}</span>) },
      ]}
    />
  )
}

function Summary({ note: { seen }, formats }: CheckProps) {
  const texts = useTexts()
  const t = texts.importFlights
  if (!seen) return <p class="warning">{t.chooseUser}</p>
  const { report, preview } = seen
  return (
    <>
      <p class="recognised">
        {t.recognised({
          title: formatTitle(preview.format, texts),
          count: report.rows,
          format: (text) => <strong>{text}</strong>,
        })}
      </p>
      <Pairs
        class="figures"
        pairs={[
          [t.new, formats.count(report.created)],
          [t.duplicates, formats.count(report.duplicates)],
          [t.rejected, formats.count(report.leftOut)],
        ]}
      />
      {preview.rows.length > 0 && <PreviewTable rows={preview.rows} formats={formats} />}
    </>
  )
}

/** The choices that the format of the file offers. */
function ChoiceFields({ note, fieldErrors, viewer }: CheckProps) {
  const t = useTexts().importFlights
  const { choices, seen, asks } = note
  const field = formFields(choiceSpecs(t), choices, fieldErrors)
  const taken = seen ? fileFormats[seen.preview.format].takes : asks ? (['mode', 'fileUser'] as const) : []
  // Columns and dates have a step of their own.
  const takes = taken.filter((name) => name !== 'columns' && name !== 'dateFormat')
  const users = asks?.users ?? seen?.preview.users ?? []
  const has = (name: (typeof takes)[number]) => takes.some((each) => each === name)
  if (takes.length === 0) return null
  return (
    <details class="more-choices" open={asks !== undefined || choices.mode !== '' || choices.others}>
      <summary class="fold">{t.whoseFlights}</summary>
      {has('fileUser') &&
        field('fileUser', {
          options: [
            { value: '', label: asks ? t.chooseOne : t.detectUser },
            ...users.map((name) => ({ value: name, label: name })),
          ],
        })}
      {has('mineOnly') && field('others')}
      {has('mode') && viewer.permissions.has('flight.import.any') && (
        <>
          {field('mode')}
          <p class="warning">{t.restoreHint}</p>
        </>
      )}
      <p class="actions">
        <button type="submit" name="do" value="check">
          {t.updatePreview}
        </button>
      </p>
    </details>
  )
}

/** The form for a new airport, filled with the data from the file. */
function createAddress(basePath: string, { code, by, record }: MissingAirport): string {
  const facts = record ?? { [by === 'name' ? by : by === 'icao' || code.length > 3 ? 'icao' : 'iata']: code }
  const query = new URLSearchParams({ next: basePath + CHECK_PATH })
  for (const [name, value] of Object.entries(facts)) if (value !== null) query.set(name, String(value))
  return `${basePath}/admin/reference/airports/new?${query}`
}

function BackupAdvice({ viewer }: Pick<Frame, 'viewer'>) {
  const t = useTexts().importFlights
  const { permissions } = viewer
  if (!permissions.has('data.airports.manage')) return <p class="warning">{t.askAdministrator}</p>
  return <p class="warning">{permissions.has('flight.import.any') ? t.createOrRestore : t.createBelow}</p>
}

function MissingAirports({ basePath, viewer, note, form, fieldErrors, options, nameOf }: CheckProps) {
  const t = useTexts().importFlights
  const { format, missing, moreMissing } = note.seen!.preview
  const canCreate = viewer.permissions.has('data.airports.manage')
  const replaced = Object.entries(note.airports)
  const described = missing.filter(({ record }) => record !== null).length
  if (missing.length === 0 && replaced.length === 0) return null
  return (
    <fieldset class="missing" id="missing">
      <legend>{t.unknownAirports}</legend>
      {replaced.length > 0 && (
        <p>
          {replaced.map(([code, id]) => {
            const airport = nameOf(id)
            return `${airport === undefined ? t.replacedByDeleted({ code }) : t.replaced({ code, airport })} `
          })}
          <button class="plain" type="submit" name="do" value="forget">
            {t.undo}
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
              label={t.replaceWith({ code })}
              hint={
                <span dir="auto">
                  {t.usedBy({ count: rows })}
                  {record && ` ${t.nameInFile({ name: record.name })}`}
                </span>
              }
              form={form}
              fieldError={fieldErrors[name]}
              options={options[name]}
            />
            {canCreate && (
              <a class="standalone" href={createAddress(basePath, airport)}>
                {t.createAirport({ code })}
              </a>
            )}
          </div>
        )
      })}
      {moreMissing > 0 && <p class="quiet">{t.moreAirports({ count: moreMissing })}</p>}
      {missing.length > 0 && (
        <p class="actions">
          <button type="submit" name="do" value="check">
            {t.updatePreview}
          </button>{' '}
          {canCreate && described > 0 && (
            <button type="submit" name="do" value="make">
              {t.createDescribed({ count: described })}
            </button>
          )}
        </p>
      )}
    </fieldset>
  )
}

export function ImportCheckPage(props: CheckProps) {
  const t = useTexts().importFlights
  const { note, until, form, fieldErrors, basePath, viewer, formats } = props
  const { seen } = note
  const fixable = seen?.preview.fixable ?? []
  const created = seen?.report.created ?? 0
  const expiresAt = new Date(until).toISOString()
  const places = (seen?.preview.missing ?? []).map(({ code }) => [
    placeField(code),
    { id: placeField(code), label: t.airport({ code }) },
  ])
  const fields = {
    ...choiceSpecs(t),
    file: { id: 'content', label: t.file },
    ...Object.fromEntries(places),
    ...(seen && cellSpecs(seen.preview, fieldErrors)),
  }
  return (
    <Layout
      {...props}
      title={t.checkTitle}
      fieldErrors={fieldErrors}
      place="home"
      below
      scripts={[assets.importProgress]}
    >
      <Crumb href={basePath + IMPORT_PATH}>{t.import}</Crumb>
      <h1>{t.checkTitle}</h1>
      <ErrorSummary fieldErrors={fieldErrors} fields={fields} />
      <Summary {...props} />
      <PostForm
        action={basePath + CHECK_PATH}
        csrf={viewer.csrf}
        submit={
          <>
            {created > 0 && (
              <button class="primary" type="submit" name="do" value="import">
                {t.importNew({ count: created })}
              </button>
            )}
            {seen && created === 0 && <strong>{t.nothingNew}</strong>}{' '}
            {note.sample && (
              <button type="submit" name="do" value="columns">
                {t.changeColumns}
              </button>
            )}{' '}
            <button type="submit" name="do" value="discard">
              {t.discard}
            </button>
          </>
        }
      >
        {seen && <MissingAirports {...props} />}
        <ChoiceFields {...props} />
        <ProgressBar basePath={basePath} />
        <p class="quiet">
          {t.keptUntil({
            moment: formats.moment(expiresAt),
            time: (text) => <time dateTime={expiresAt}>{text}</time>,
          })}
        </p>
      </PostForm>
      {seen && (
        <Rejected report={seen.report} format={seen.preview.format} fixable={fixable.length}>
          {fixable.length > 0 && (
            <>
              <p>{t.fixHint}</p>
              <FixRows rows={fixable} form={form} fieldErrors={fieldErrors} basePath={basePath} viewer={viewer} />
            </>
          )}
        </Rejected>
      )}
    </Layout>
  )
}
