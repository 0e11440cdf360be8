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

interface ListProps<Row> extends TableProps<Row> {
  /** Whether a row is a block on a phone: its cells are too long to stand beside each other there. */
  stacked?: boolean
}

/** The list that a page is about. */
export const ListTable = <Row,>({ stacked, class: own, ...props }: ListProps<Row>) => (
  <div class="card flush">
    <DataTable {...props} class={['list', stacked && 'stacked', own].filter(Boolean).join(' ')} />
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

interface PartsProps {
  things: string
  back: { href: string; words: string; rel?: 'prev' } | false
  next: { href: string; words: string } | false
  children?: ComponentChildren
}

/** The ways to what comes before and after the part of a list that is shown. */
export function Parts({ things, back, next, children }: PartsProps) {
  return (
    <nav class="parts" aria-label={`More ${things}`}>
      {back && (
        <a class="button" rel={back.rel} href={back.href}>
          {back.words} {things}
        </a>
      )}
      {children}
      {next && (
        <a class="button" rel="next" href={next.href}>
          {next.words} {things}
        </a>
      )}
    </nav>
  )
}

/** The ways to the other parts of a list by their numbers; `things` are what it lists. */
export function PartLinks({ page, pages, path, things, anchor }: Part & { things: string; anchor: string }) {
  if (pages === 1) return null
  const link = (other: number) => `${other === 1 ? path : `${path}?page=${other}`}#${anchor}`
  return (
    <Parts
      things={things}
      back={page > 1 && { href: link(page - 1), words: 'Previous', rel: 'prev' }}
      next={page < pages && { href: link(page + 1), words: 'More' }}
    >
      <span class="quiet">
        Page {page} of {pages}
      </span>
    </Parts>
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
