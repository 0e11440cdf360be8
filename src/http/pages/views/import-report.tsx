import type { Formats } from '../formats.ts'
import type { KeptReport } from '../import-steps.ts'
import { DataTable } from './lists.tsx'

/** The rows of a file that cannot be taken, with the reason of each. */
export function LeftOut({ report, formats }: { report: KeptReport; formats: Formats }) {
  const { rejected, leftOut } = report
  if (leftOut === 0) return null
  const more = leftOut - rejected.length
  return (
    <section class="card report" aria-labelledby="left-out">
      <h2 id="left-out">What cannot be read</h2>
      <DataTable
        class="rejected"
        caption="Rows that are left out"
        rows={rejected}
        columns={[
          { title: 'Row', cell: ({ row }) => row },
          { title: 'Reason', cell: ({ reason }) => <span dir="auto">{reason}</span> },
        ]}
      />
      {more > 0 && <p class="quiet">And {formats.count(more)} more.</p>}
    </section>
  )
}
