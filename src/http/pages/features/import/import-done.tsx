import { type FormatName, formats as fileFormats } from '../../../../domain/transfer/formats/registry.ts'
import { pluralize } from '../../../../lib/english.ts'
import { DataTable, Pairs } from '../../components/lists.tsx'
import { Crumb } from '../../components/section.tsx'
import type { Frame } from '../../framework/context.ts'
import type { Formats } from '../../framework/formats.ts'
import { Layout } from '../../framework/layout.tsx'
import { IMPORT_PATH, type StoredReport } from './import-steps.ts'

interface RejectedProps {
  report: StoredReport
  /** Undefined without a preview. */
  format: FormatName | undefined
  formats: Formats
}

export function Rejected({ report, format, formats }: RejectedProps) {
  const { rejected, leftOut } = report
  if (leftOut === 0) return null
  const more = leftOut - rejected.length
  const title = format && fileFormats[format].counts === 'records' ? 'Record' : 'Line'
  return (
    <section class="card report" aria-labelledby="left-out">
      <h2 id="left-out">Rejected rows</h2>
      <DataTable
        class="rejected"
        caption="Rejected rows"
        rows={rejected}
        columns={[
          { title, cell: ({ line }) => line },
          {
            title: 'Reasons',
            cell: ({ reasons }) =>
              reasons.length === 1 ? (
                <span dir="auto">{reasons[0]}</span>
              ) : (
                <ul>
                  {reasons.map((reason) => (
                    <li key={reason} dir="auto">
                      {reason}
                    </li>
                  ))}
                </ul>
              ),
          },
        ]}
      />
      {more > 0 && <p class="quiet">And {formats.count(more)} more.</p>}
    </section>
  )
}

export function ImportDonePage({ report, format, ...frame }: Frame & Omit<RejectedProps, 'formats'>) {
  const { basePath, formats } = frame
  const { rows, created, duplicates, leftOut } = report
  return (
    <Layout {...frame} title="Imported – Paxlog" place="home" below>
      <Crumb href={basePath + IMPORT_PATH}>Import</Crumb>
      <h1>{formats.flights(created)} imported</h1>
      <section class="card report" aria-label="Result">
        <p>The file had {pluralize(rows, 'row')}. Importing it again adds no duplicates.</p>
        <Pairs
          class="figures"
          pairs={[
            ['Added', formats.count(created)],
            ['Duplicates', formats.count(duplicates)],
            ['Rejected', formats.count(leftOut)],
          ]}
        />
        <p class="actions">
          <a class="button primary" href={basePath || '/'}>
            View your flights
          </a>
        </p>
      </section>
      <Rejected report={report} format={format} formats={formats} />
    </Layout>
  )
}
