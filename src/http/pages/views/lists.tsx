import type { ComponentChildren } from 'preact'

interface Column<Row> {
  title: string
  cell: (row: Row) => ComponentChildren
}

interface TableProps<Row> {
  caption: string
  rows: readonly Row[]
  /** The first one names the row. */
  columns: readonly [Column<Row>, ...Column<Row>[]]
}

export function ListTable<Row>({ caption, rows, columns: [first, ...others] }: TableProps<Row>) {
  return (
    <div class="card flush">
      <table class="list">
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {[first, ...others].map(({ title }) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // The order never changes on the page.
            <tr key={index}>
              <th scope="row">{first.cell(row)}</th>
              {others.map(({ title, cell }) => (
                <td key={title}>{cell(row)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type Named = readonly [name: string, value: ComponentChildren]

/** Names with their values: large figures, or facts in words. */
export function Pairs({ class: name, pairs }: { class: 'figures' | 'facts' | 'facts wide'; pairs: readonly Named[] }) {
  return (
    <dl class={name}>
      {pairs.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Which part of a long list is shown. */
export interface Part {
  page: number
  pages: number
  path: string
}

/** The ways to the other parts of a list; `things` are what it lists. */
export function PartLinks({ page, pages, path, things, anchor }: Part & { things: string; anchor: string }) {
  if (pages === 1) return null
  const link = (other: number) => `${other === 1 ? path : `${path}?page=${other}`}#${anchor}`
  return (
    <nav class="parts" aria-label={`More ${things}`}>
      {page > 1 && (
        <a class="button" rel="prev" href={link(page - 1)}>
          Previous {things}
        </a>
      )}
      <span class="quiet">
        Page {page} of {pages}
      </span>
      {page < pages && (
        <a class="button" rel="next" href={link(page + 1)}>
          More {things}
        </a>
      )}
    </nav>
  )
}
