import { type FormatName, formats as fileFormats } from '../../../../domain/transfer/formats/registry.ts'
import { DataTable } from '../../components/lists.tsx'
import type { Formats } from '../../framework/formats.ts'
import type { KeptReport } from './import-steps.ts'

interface Props {
  report: KeptReport
  /** Undefined without a preview. */
  format: FormatName | undefined
  formats: Formats
}

function Reasons({ reasons }: { reasons: readonly string[] }) {
  if (reasons.length === 1) return <span dir="auto">{reasons[0]}</span>
  return (
    <ul>
      {reasons.map((reason) => (
        <li key={reason} dir="auto">
          {reason}
        </li>
      ))}
    </ul>
  )
}

/** The rows of a file that cannot be taken, with the reasons of each. */
export function LeftOut({ report, format, formats }: Props) {
  const { rejected, leftOut } = report
  if (leftOut === 0) return null
  const more = leftOut - rejected.length
  const title = format && fileFormats[format].counts === 'records' ? 'Record' : 'Line'
  return (
    <section class="card report" aria-labelledby="left-out">
      <h2 id="left-out">What cannot be read</h2>
      <DataTable
        class="rejected"
        caption="Rows that are left out"
        rows={rejected}
        columns={[
          { title, cell: ({ line }) => line },
          { title: 'Reasons', cell: ({ reasons }) => <Reasons reasons={reasons} /> },
        ]}
      />
      {more > 0 && <p class="quiet">And {formats.count(more)} more.</p>}
    </section>
  )
}
