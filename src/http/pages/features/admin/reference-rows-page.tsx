import { ListTable, type Part, PartLinks } from '../../components/lists.tsx'
import { type ReferenceKindName, referenceKinds } from '../../components/reference-form.ts'
import { Section } from '../../components/section.tsx'
import type { Frame } from '../../framework/context.ts'
import { Layout } from '../../framework/layout.tsx'

interface ListedRow {
  id: number
  name: string
  icao: string | null
  iata?: string | null
  flights: number
}

interface TabsProps extends Pick<Frame, 'basePath' | 'viewer'> {
  name: ReferenceKindName
}

/** The kinds that the role may manage. */
function KindLinks({ basePath, viewer, name }: TabsProps) {
  const open = (Object.keys(referenceKinds) as ReferenceKindName[]).filter((kind) =>
    viewer.permissions.has(referenceKinds[kind].permission),
  )
  if (open.length < 2) return null
  return (
    <nav class="kinds" aria-label="Kinds of reference data">
      {open.map((kind) => (
        <a
          key={kind}
          class="chip"
          href={`${basePath}/admin/reference/${kind}`}
          {...(kind === name && { 'aria-current': 'true' as const })}
        >
          {referenceKinds[kind].title}
        </a>
      ))}
    </nav>
  )
}

interface Props extends Frame {
  name: ReferenceKindName
  title: string
  noun: string
  rows: readonly ListedRow[]
  part: Part
}

export function ReferenceRowsPage({ name, title, noun, rows, part, ...frame }: Props) {
  const { basePath, viewer, formats } = frame
  const path = `${basePath}/admin/reference/${name}`
  return (
    <Layout {...frame} title={`${title} – Paxlog`} place="reference">
      <h1>Reference data</h1>
      <p class="quiet">
        What was added on this instance to the shipped airports, airlines and aircraft types. The shipped ones change
        with an update only.
      </p>
      <KindLinks basePath={basePath} viewer={viewer} name={name} />
      <Section id="rows" title={title}>
        {rows.length === 0 ? (
          <p class="card empty">Nothing was added here yet.</p>
        ) : (
          <ListTable
            caption={title}
            rows={rows}
            columns={[
              {
                title: 'Name',
                names: true,
                cell: (row) => (
                  <>
                    <a href={`${path}/${row.id}`} dir="auto">
                      {row.name}
                    </a>
                    <span class="beside">{[row.iata, row.icao].filter(Boolean).join(', ')}</span>
                  </>
                ),
              },
              { title: 'Flights', cell: (row) => formats.count(row.flights) },
            ]}
          />
        )}
        <PartLinks {...part} things={title.toLowerCase()} anchor="rows" />
        <p class="actions">
          <a class="button primary" href={`${path}/new`}>
            New {noun}
          </a>
        </p>
      </Section>
    </Layout>
  )
}
