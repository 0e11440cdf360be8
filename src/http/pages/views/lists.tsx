import type { ComponentChildren } from 'preact'

interface Column<Row> {
  title: string
  cell: (row: Row) => ComponentChildren
  /** Whether it says what the row is about. */
  names?: boolean
}

interface TableProps<Row> {
  caption: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  class?: string
  /** Whether the caption is seen, or only read out. */
  titled?: boolean
}

export function DataTable<Row>({ caption, rows, columns, class: name, titled = false }: TableProps<Row>) {
  return (
    <table class={name}>
      <caption class={titled ? undefined : 'unseen'}>{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ title }) => (
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
            {columns.map(({ title, cell, names }) =>
              names ? (
                <th key={title} scope="row">
                  {cell(row)}
                </th>
              ) : (
                <td key={title}>{cell(row)}</td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface ListProps<Row> extends Omit<TableProps<Row>, 'class'> {
  /** Whether a row is a block on a phone: its cells are too long to stand beside each other there. */
  stacked?: boolean
}

/** The list that a page is about. */
export const ListTable = <Row,>({ stacked = false, ...props }: ListProps<Row>) => (
  <div class="card flush">
    <DataTable {...props} class={stacked ? 'list stacked' : 'list'} />
  </div>
)

type Named = readonly [name: ComponentChildren, value: ComponentChildren]

/** Names with their values: large figures, or facts in words. */
export function Pairs({ class: name, pairs }: { class: string; pairs: readonly Named[] }) {
  return (
    <dl class={name}>
      {pairs.map(([term, value], index) => (
        <div key={index}>
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

/** Numbers of pages: the ends, and those around the one that is shown; a gap is undefined. */
function numbersAround(page: number, pages: number): (number | undefined)[] {
  const wanted = [1, page - 2, page - 1, page, page + 1, page + 2, pages]
  const shown = [...new Set(wanted)].filter((number) => number >= 1 && number <= pages)
  return shown.flatMap((number, index) =>
    index > 0 && number > shown[index - 1]! + 1 ? [undefined, number] : [number],
  )
}

interface NumbersProps {
  page: number
  pages: number
  /** The address of a page. */
  at: (page: number) => string
  things: string
}

/** The pages of a long list by their numbers. */
export function PageNumbers({ page, pages, at, things }: NumbersProps) {
  if (pages === 1) return null
  return (
    <nav class="numbers" aria-label={`Pages of ${things}`}>
      {page > 1 && (
        <a rel="prev" href={at(page - 1)}>
          Previous
        </a>
      )}
      {numbersAround(page, pages).map((number, index) =>
        number === undefined ? (
          <span key={`gap ${index}`}>…</span>
        ) : (
          <a
            key={number}
            href={at(number)}
            aria-label={`Page ${number}`}
            {...(number === page && { 'aria-current': 'page' as const })}
          >
            {number}
          </a>
        ),
      )}
      {page < pages && (
        <a rel="next" href={at(page + 1)}>
          Next
        </a>
      )}
    </nav>
  )
}
