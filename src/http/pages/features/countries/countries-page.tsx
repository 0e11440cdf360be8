import type { KnownCountry } from '../../../../domain/visited/service.ts'
import { continentNames, countryName, pluralize } from '../../../../lib/english.ts'
import { CountryMap, type Standing, standingWords } from '../../components/country-map.tsx'
import { FaultSummary, Field } from '../../components/fields.tsx'
import { addressOf, queryWith } from '../../components/filter-bar/filter.ts'
import { FilterBar, NothingFound } from '../../components/filter-bar/filter-bar.tsx'
import type { ShownFilter } from '../../components/filter-bar/read-filter.ts'
import { Form, formFields, PostForm } from '../../components/forms.tsx'
import { Section } from '../../components/section.tsx'
import type { Frame } from '../../framework/context.ts'
import { type Faults, formSpecs, type Typed } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'
import type { CountryShape } from '../../maps/world.ts'

const standings = Object.entries(standingWords) as [Standing, string][]

/** What was entered by hand wins; where nothing was, flights tell of a visit. */
const standingOf = ({ status, derived }: KnownCountry): Standing | undefined =>
  status ?? (derived ? 'visited' : undefined)

const MAX_NOTE = 1000

export const markSpecs = formSpecs({
  code: { id: 'code', label: 'Country', kind: 'select', required: true },
  status: {
    id: 'status',
    label: 'Mark',
    kind: 'select',
    required: true,
    options: standings.map(([value, label]) => ({ value, label })),
  },
  note: { id: 'note', label: 'Note', maxLength: MAX_NOTE },
})
export type TypedMark = Typed<typeof markSpecs>

const byName = (a: string, b: string) => a.localeCompare(b, 'en')
const nameOf = (code: string) => countryName(code) ?? code

interface Props extends Frame {
  records: readonly KnownCountry[]
  /** How many countries each continent has. */
  totals: ReadonlyMap<string, number>
  codes: readonly string[]
  shapes: readonly CountryShape[]
  size: { width: number; height: number }
  shown: ShownFilter
  typed: TypedMark
  faults: Faults
}

type RowProps = Pick<Props, 'basePath' | 'viewer' | 'formats' | 'shown'> & { record: KnownCountry }

function factsOf({ record, formats }: Pick<RowProps, 'record' | 'formats'>): string {
  const { derived, flights, airports, firstDate, lastDate, firstPrecision, lastPrecision } = record
  if (!derived) return 'No flights'
  const [first, last] = [formats.day(firstDate!, firstPrecision), formats.day(lastDate!, lastPrecision)]
  return [
    pluralize(flights, 'flight'),
    pluralize(airports, 'airport'),
    first === last ? first : `${first} – ${last}`,
  ].join(', ')
}

/** One country; opened, it can be marked: each mark is a button, so that one tap does it. */
function Row({ record, basePath, viewer, formats, shown }: RowProps) {
  const { code, derived, status, note } = record
  const name = nameOf(code)
  const standing = standingOf(record)
  return (
    <li id={`country-${code}`}>
      <details>
        <summary>
          <span class="name">{name}</span>
          {standing && <span class={`key ${standing}`}>{standingWords[standing]}</span>}
          <span class="quiet">{factsOf({ record, formats })}</span>
        </summary>
        <Form method="post" action={`${basePath}/countries`} hidden={{ csrf: viewer.csrf, code }}>
          {/* What the Enter key presses in the note: the mark stays as it is. */}
          <button class="unseen" type="submit" name="status" value={standing} tabIndex={-1}>
            Save the note
          </button>
          <Field
            id={`note-${code}`}
            name="note"
            label={markSpecs.note.label}
            input={{ value: note ?? '', maxLength: MAX_NOTE, dir: 'auto', autocomplete: 'off' }}
          />
          <p class="actions">
            {standings.map(([value, label]) => (
              <button
                key={value}
                type="submit"
                name="status"
                value={value}
                class={value === status ? 'primary' : undefined}
                aria-pressed={value === status}
              >
                {label}
                <span class="unseen">: {name}</span>
              </button>
            ))}
            {status !== null && (
              <button type="submit" name="status" value="">
                Remove the mark<span class="unseen"> of {name}</span>
              </button>
            )}
          </p>
          {derived && (
            <p>
              <a href={basePath + addressOf('/', queryWith(shown, { country: code, completed: 'true' }))}>
                Flights from and to {name}
              </a>
            </p>
          )}
        </Form>
      </details>
    </li>
  )
}

function Continents({ records, totals, ...rest }: Omit<RowProps, 'record'> & Pick<Props, 'records' | 'totals'>) {
  const isBeen = (record: KnownCountry) => standingOf(record) !== 'wishlist'
  const groups = Object.entries(continentNames)
    .map(([continent, name]) => ({ continent, name, own: records.filter((record) => record.continent === continent) }))
    .filter(({ own }) => own.length > 0)
    .sort((a, b) => b.own.filter(isBeen).length - a.own.filter(isBeen).length || byName(a.name, b.name))
  return (
    <>
      {groups.map(({ continent, name, own }) => (
        <section key={continent} aria-labelledby={`continent-${continent}`}>
          <h2 id={`continent-${continent}`}>
            {name}{' '}
            <span class="quiet">
              {own.filter(isBeen).length} of {totals.get(continent)}
            </span>
          </h2>
          <ul class="countries">
            {[...own]
              .sort((a, b) => byName(nameOf(a.code), nameOf(b.code)))
              .map((record) => (
                <Row key={record.code} record={record} {...rest} />
              ))}
          </ul>
        </section>
      ))}
    </>
  )
}

function summaryOf(records: readonly KnownCountry[]): string {
  const counts = standings.map(([standing, label]) => {
    const count = records.filter((record) => standingOf(record) === standing).length
    return count > 0 && `${label.toLowerCase()} ${count}`
  })
  return `Countries: ${counts.filter(Boolean).join(', ') || 'none'}.`
}

export function CountriesPage(props: Props) {
  const { records, totals, codes, shapes, size, shown, typed, faults, ...frame } = props
  const { basePath, viewer, formats } = frame
  const known = new Map(records.flatMap((record) => (standingOf(record) ? [[record.code, standingOf(record)!]] : [])))
  const field = formFields(markSpecs, typed, faults)
  const options = [...codes]
    .map((code) => ({ value: code, label: nameOf(code) }))
    .sort((a, b) => byName(a.label, b.label))
  const been = records.filter((record) => standingOf(record) !== 'wishlist').length
  return (
    <Layout {...frame} title="Countries – Paxlog" faults={faults} place="countries">
      <div class="lead">
        <div>
          <h1>Countries</h1>
          <p class="quiet">
            {been} of {codes.length}. Where you have not marked anything, your flights tell.
          </p>
        </div>
      </div>
      <FaultSummary faults={faults} fields={markSpecs} />
      <FilterBar basePath={basePath} action="/countries" shown={shown} />
      {records.length === 0 && shown.chips.length > 0 ? (
        <NothingFound basePath={basePath} action="/countries" shown={shown} />
      ) : (
        <Section id="world" title="Map" untitled>
          <CountryMap shapes={shapes} size={size} standings={known} description={summaryOf(records)} />
          <p class="legend">
            {standings.map(([standing, label]) => (
              <span key={standing} class={`key ${standing}`}>
                {label} <span class="count">{[...known.values()].filter((each) => each === standing).length}</span>
              </span>
            ))}
          </p>
        </Section>
      )}
      <Continents {...{ records, totals, basePath, viewer, formats, shown }} />
      <Section id="mark" title="Mark a country">
        <PostForm action={`${basePath}/countries`} csrf={viewer.csrf} submit="Save the mark">
          <div class="columns three">
            {field('code', { options: [{ value: '', label: 'Choose …' }, ...options] })}
            {field('status')}
            {field('note')}
          </div>
        </PostForm>
      </Section>
    </Layout>
  )
}
