import type { ComponentChildren } from 'preact'
import { type FormatName, formats as fileFormats } from '../../../../domain/transfer/formats/registry.ts'
import { DataTable, Pairs } from '../../components/lists.tsx'
import { Crumb } from '../../components/section.tsx'
import type { Frame } from '../../framework/context.ts'
import { Layout } from '../../framework/layout.tsx'
import { useTexts } from '../../framework/localization.ts'
import { messageText } from '../../framework/service-messages.ts'
import { IMPORT_PATH, type StoredReport } from './import-steps.ts'

interface RejectedProps {
  report: StoredReport
  /** Undefined without a preview. */
  format: FormatName | undefined
  /** How many of the rows `children` show. */
  fixable?: number
  children?: ComponentChildren
}

/** `children` are the first rows with fields to fix them. */
export function Rejected({ report, format, fixable = 0, children }: RejectedProps) {
  const texts = useTexts()
  const t = texts.importFlights
  const { leftOut } = report
  if (leftOut === 0) return null
  const rejected = report.rejected.slice(fixable)
  const more = leftOut - fixable - rejected.length
  const title = format && fileFormats[format].counts === 'records' ? t.record : t.line
  return (
    <section class="card report" aria-labelledby="left-out">
      <h2 id="left-out">{t.rejectedRows}</h2>
      {children}
      {fixable > 0 && rejected.length > 0 && <h3>{t.otherRejected}</h3>}
      {rejected.length > 0 && (
        <DataTable
          class="rejected"
          caption={t.rejectedRows}
          rows={rejected}
          columns={[
            { title, cell: ({ line }) => line },
            {
              title: t.reasons,
              cell: ({ reasons }) =>
                reasons.length === 1 ? (
                  <span dir="auto">{messageText(reasons[0]!, texts)}</span>
                ) : (
                  <ul>
                    {reasons.map((reason) => (
                      <li key={reason} dir="auto">
                        {messageText(reason, texts)}
                      </li>
                    ))}
                  </ul>
                ),
            },
          ]}
        />
      )}
      {more > 0 && <p class="quiet">{t.moreRejected({ count: more })}</p>}
    </section>
  )
}

export function ImportDonePage({ report, format, ...frame }: Frame & RejectedProps) {
  const t = useTexts().importFlights
  const { basePath, formats } = frame
  const { rows, created, duplicates, leftOut } = report
  return (
    <Layout {...frame} title={t.doneTitle} place="home" below>
      <Crumb href={basePath + IMPORT_PATH}>{t.import}</Crumb>
      <h1>{t.imported({ count: created })}</h1>
      <section class="card report" aria-label={t.result}>
        <p>{t.rows({ count: rows })}</p>
        <Pairs
          class="figures"
          pairs={[
            [t.added, formats.count(created)],
            [t.duplicates, formats.count(duplicates)],
            [t.rejected, formats.count(leftOut)],
          ]}
        />
        <p class="actions">
          <a class="button primary" href={basePath || '/'}>
            {t.viewFlights}
          </a>
        </p>
      </section>
      <Rejected report={report} format={format} />
    </Layout>
  )
}
