import type { FormatName } from '../../../../domain/transfer/formats/registry.ts'
import { pluralize } from '../../../../lib/english.ts'
import { Pairs } from '../../components/lists.tsx'
import { Crumb } from '../../components/section.tsx'
import type { Frame } from '../../framework/context.ts'
import { Layout } from '../../framework/layout.tsx'
import { LeftOut } from './import-report.tsx'
import type { KeptReport } from './import-steps.ts'

interface Props extends Frame {
  report: KeptReport
  format: FormatName | undefined
}

/** What an import has done; seen again when the page is loaded again. */
export function ImportDonePage({ report, format, ...frame }: Props) {
  const { basePath, formats } = frame
  const { rows, created, duplicates, leftOut } = report
  return (
    <Layout {...frame} title="Imported – Paxlog" place="home" below>
      <Crumb href={`${basePath}/import`}>Import</Crumb>
      <h1>{formats.flights(created)} imported</h1>
      <section class="card report" aria-label="What became of the file">
        <p>The file had {pluralize(rows, 'row')}. Importing it again adds nothing twice.</p>
        <Pairs
          class="figures"
          pairs={[
            ['Added', formats.count(created)],
            ['Duplicates', formats.count(duplicates)],
            ['Left out', formats.count(leftOut)],
          ]}
        />
        <p class="actions">
          <a class="button primary" href={basePath || '/'}>
            See your flights
          </a>
        </p>
      </section>
      <LeftOut report={report} format={format} formats={formats} />
    </Layout>
  )
}
