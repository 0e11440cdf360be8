import { DataTable } from '../../components/lists.tsx'
import type { Person } from './traveller-fields.tsx'

/** Of a form, what no person has typed. */
const isOwn = (name: string) => /^(csrf|author|version|rows|first|more|follow|lookUp|take)$|\.(id|asked)$/.test(name)

interface Props {
  /** As it is stored now, in the fields of the form. */
  now: URLSearchParams
  /** As it was typed. */
  form: URLSearchParams
  labelOf: (field: string) => string
  people: readonly Person[]
  page: string
}

/** Shown to whoever saves over a change of somebody else: both, field by field, and the choice. */
export function FlightConflict({ now, form, labelOf, people, page }: Props) {
  const textOf = (fields: URLSearchParams, name: string) => {
    const texts = fields.getAll(name)
    const shown = name.endsWith('.who')
      ? texts.map((id) => people.find((each) => each.id === id)?.displayName ?? id)
      : texts
    return shown.join(', ').replaceAll('\r\n', '\n')
  }
  const names = [...new Set([...form.keys(), ...now.keys()])].filter((name) => !isOwn(name))
  const rows = names
    .map((name) => ({ name, now: textOf(now, name), mine: textOf(form, name) }))
    .filter((row) => row.now !== row.mine)
  return (
    <div class="summary" role="alert">
      <p>
        <strong>This flight was changed while you worked on it. Nothing is saved yet.</strong>
      </p>
      {rows.length === 0 ? (
        <p>What you typed is what is stored now.</p>
      ) : (
        <DataTable
          caption="What is different"
          titled
          rows={rows}
          columns={[
            { title: 'Field', cell: ({ name }) => labelOf(name), names: true },
            { title: 'Stored now', cell: (row) => row.now || '–' },
            { title: 'Yours', cell: ({ mine }) => mine || '–' },
          ]}
        />
      )}
      <p>
        Change below what you want to take over, then save again: the form replaces what is stored. Or{' '}
        <a href={page}>leave yours and see the flight as it is stored</a>.
      </p>
    </div>
  )
}
