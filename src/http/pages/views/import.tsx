import type { ImportReport } from '../../../domain/transfer/contract.ts'
import { formatNames, formats } from '../../../domain/transfer/formats/registry.ts'
import type { Frame } from '../context.ts'
import type { Formats } from '../formats.ts'
import type { Faults } from '../forms.ts'
import { Choice, FaultSummary, Field, SelectField } from './fields.tsx'
import { Hidden } from './forms.tsx'
import { Layout } from './layout.tsx'
import { DataTable, Pairs } from './lists.tsx'

/** As many as one reads; a file of which more is wrong has one cause. */
const MOST_REJECTED = 200

interface Props extends Frame {
  form: URLSearchParams
  faults: Faults
  report: ImportReport | undefined
  /** Whether the role reaches the logs of others. */
  mayRestore: boolean
}

const fields = {
  file: { id: 'file', label: 'File' },
  format: { id: 'format', label: 'Where it comes from' },
  fileUser: { id: 'fileUser', label: 'Your user name in the backup' },
  mineOnly: { id: 'mineOnly', label: 'Flights of others' },
  mode: { id: 'mode', label: 'Whose flights' },
}

const formatOptions = [
  { value: 'auto', label: 'Find out from the file' },
  ...formatNames.map((name) => ({ value: name, label: formats[name].title })),
]

const flightsOf = (count: number, formats: Formats) => `${formats.count(count)} ${count === 1 ? 'flight' : 'flights'}`

function Rejected({ rejected, formats }: { rejected: ImportReport['rejected']; formats: Formats }) {
  const more = rejected.length - MOST_REJECTED
  return (
    <>
      <DataTable
        class="rejected"
        caption="Rows that were left out"
        titled
        rows={rejected.slice(0, MOST_REJECTED)}
        columns={[
          { title: 'Row', cell: ({ row }) => row },
          { title: 'Reason', cell: ({ reason }) => reason },
        ]}
      />
      {more > 0 && <p class="quiet">And {formats.count(more)} more.</p>}
    </>
  )
}

function Report({ report, basePath, formats }: Pick<Frame, 'basePath' | 'formats'> & { report: ImportReport }) {
  const { created, duplicates, rejected, dryRun, rows } = report
  const counts: [string, number][] = [
    [dryRun ? 'Would be added' : 'Added', created],
    ['There already', duplicates],
    ['Left out', rejected.length],
  ]
  return (
    <section class="card report" aria-labelledby="report">
      <h2 id="report" tabIndex={-1}>
        {dryRun ? 'What would happen' : `${flightsOf(created, formats)} imported`}
      </h2>
      <p>
        {dryRun
          ? 'Nothing was kept yet. To import the file, choose it again below.'
          : `The file had ${formats.count(rows)} ${rows === 1 ? 'row' : 'rows'}. Importing it again adds nothing twice.`}
      </p>
      <Pairs class="figures" pairs={counts.map(([name, value]) => [name, formats.count(value)])} />
      {rejected.length > 0 && <Rejected rejected={rejected} formats={formats} />}
      {!dryRun && (
        <p class="actions">
          <a class="button primary" href={basePath || '/'}>
            See your flights
          </a>
        </p>
      )}
    </section>
  )
}

function Mode({ form, faults }: Pick<Props, 'form' | 'faults'>) {
  return (
    <>
      <SelectField
        {...fields.mode}
        name="mode"
        fault={faults.mode}
        value={form.get('mode') ?? ''}
        options={[
          { value: '', label: 'Mine: into my own log' },
          { value: 'restore', label: 'Everybody’s: restore a whole backup' },
        ]}
      />
      <p class="warning">
        Restoring a whole backup adds flights to the logs of all users whose names it holds, and makes airports,
        airlines and aircraft types that are missing. Try it out first.
      </p>
    </>
  )
}

export function ImportPage({ form, faults, report, mayRestore, ...frame }: Props) {
  const { basePath, viewer, formats: shown } = frame
  const names = formatNames.map((name) => formats[name].title).join(', ')
  const usesMore = ['mode', 'fileUser', 'mineOnly'].some((name) => form.get(name) || faults[name])
  return (
    <Layout {...frame} title="Import flights – Paxlog" faults={faults} place="home" below>
      <p class="crumb">
        <a href={basePath || '/'}>Flights</a>
      </p>
      <h1>Import flights</h1>
      <FaultSummary faults={faults} fields={fields} />
      {report && <Report report={report} basePath={basePath} formats={shown} />}
      {/* The mark of the form comes before the file, so that it is judged before any of the file is kept. */}
      <form method="post" action={`${basePath}/flights/import`} encType="multipart/form-data" class="card" noValidate>
        <Hidden csrf={viewer.csrf} />
        <Field {...fields.file} name="file" fault={faults.file} input={{ type: 'file', required: true }} />
        <SelectField
          {...fields.format}
          name="format"
          hint={`Files of these can be read: ${names}.`}
          fault={faults.format}
          value={form.get('format') ?? 'auto'}
          options={formatOptions}
        />
        <details class="more-choices" open={usesMore}>
          <summary class="fold">More choices</summary>
          <Field
            {...fields.fileUser}
            name="fileUser"
            hint="Only for a backup with several users in which yours has another name than here."
            fault={faults.fileUser}
            input={{ type: 'text', value: form.get('fileUser') ?? '', autocomplete: 'off', maxLength: 100 }}
          />
          <div id="mineOnly" tabIndex={-1}>
            {faults.mineOnly && <p class="fault">{faults.mineOnly}</p>}
            <Choice name="mineOnly" value="false" checked={form.has('mineOnly')}>
              Also take flights that belong to others, from App in the Air or byAir
            </Choice>
          </div>
          {mayRestore && <Mode form={form} faults={faults} />}
        </details>
        <p class="actions">
          <button type="submit" name="do" value="try">
            Only tell me what would happen
          </button>
          <button class="primary" type="submit" name="do" value="import">
            Import
          </button>
        </p>
      </form>
    </Layout>
  )
}
