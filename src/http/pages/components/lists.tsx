import type { ComponentChildren } from 'preact'
import { useTexts } from '../framework/localization.ts'

interface Column<Row> {
  title: string
  cell: (row: Row) => ComponentChildren
  names?: boolean
}

interface TableProps<Row> {
  caption: string
  rows: readonly Row[]
  columns: readonly Column<Row>[]
  class?: string
  titled?: boolean
}

export const DataTable = <Row,>({ caption, rows, columns, class: name, titled = false }: TableProps<Row>) => (
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
        <tr key={index}>
          {columns.map(({ title, cell, names }) => {
            const Cell = names ? 'th' : 'td'
            return (
              <Cell key={title} scope={names ? 'row' : undefined}>
                {cell(row)}
              </Cell>
            )
          })}
        </tr>
      ))}
    </tbody>
  </table>
)

/** With `stacked`, each row is a block on a phone. */
export const ListTable = <Row,>({ stacked, class: own, ...props }: TableProps<Row> & { stacked?: boolean }) => (
  <div class="card flush">
    <DataTable {...props} class={['list', stacked && 'stacked', own].filter(Boolean).join(' ')} />
  </div>
)

interface PairsProps {
  class: string
  pairs: readonly (readonly [term: ComponentChildren, value: ComponentChildren])[]
}

export const Pairs = ({ class: name, pairs }: PairsProps) => (
  <dl class={name}>
    {pairs.map(([term, value], index) => (
      <div key={index}>
        <dt>{term}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

export interface PageOfList {
  page: number
  pages: number
  path: string
}

interface PartsProps {
  label: string
  back: { href: string; text: string; rel?: 'prev' } | false
  next: { href: string; text: string } | false
  children?: ComponentChildren
}

export const Pagination = ({ label, back, next, children }: PartsProps) => (
  <nav class="parts" aria-label={label}>
    {back && (
      <a class="button" rel={back.rel} href={back.href}>
        {back.text}
      </a>
    )}
    {children}
    {next && (
      <a class="button" rel="next" href={next.href}>
        {next.text}
      </a>
    )}
  </nav>
)

export function PageLinks({ page, pages, path, anchor }: PageOfList & { anchor: string }) {
  const t = useTexts().forms
  if (pages === 1) return null
  const link = (other: number) => `${other === 1 ? path : `${path}?page=${other}`}#${anchor}`
  return (
    <Pagination
      label={t.pages}
      back={page > 1 && { href: link(page - 1), text: t.previous, rel: 'prev' }}
      next={page < pages && { href: link(page + 1), text: t.next }}
    >
      <span class="quiet">{t.pageOf({ page, pages })}</span>
    </Pagination>
  )
}

/** The first and the last page, and those around the current one; a gap is undefined. */
function numbersAround(page: number, pages: number): (number | undefined)[] {
  const wanted = [1, page - 2, page - 1, page, page + 1, page + 2, pages]
  const shown = [...new Set(wanted)].filter((number) => number >= 1 && number <= pages)
  return shown.flatMap((number, index) =>
    index > 0 && number > shown[index - 1]! + 1 ? [undefined, number] : [number],
  )
}

type NumbersProps = Omit<PageOfList, 'path'> & { at: (page: number) => string; label: string }

export function PageNumbers({ page, pages, at, label }: NumbersProps) {
  const t = useTexts().forms
  if (pages === 1) return null
  return (
    <nav class="numbers" aria-label={label}>
      {page > 1 && (
        <a rel="prev" href={at(page - 1)}>
          {t.previous}
        </a>
      )}
      {numbersAround(page, pages).map((number, index) =>
        number === undefined ? (
          <span key={`gap ${index}`}>…</span>
        ) : (
          <a
            key={number}
            href={at(number)}
            aria-label={t.page({ page: number })}
            aria-current={number === page ? 'page' : undefined}
          >
            {number}
          </a>
        ),
      )}
      {page < pages && (
        <a rel="next" href={at(page + 1)}>
          {t.next}
        </a>
      )}
    </nav>
  )
}
