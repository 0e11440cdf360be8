import { type ActivityEntry, type ActivityKind, kindNames, kindOf } from '../../../../domain/activity/contract.ts'
import { Field, SelectField } from '../../components/fields.tsx'
import { addressOf } from '../../components/filter-bar/filter.ts'
import { SearchForm } from '../../components/forms.tsx'
import { ListTable, Parts } from '../../components/lists.tsx'
import type { Frame } from '../../framework/context.ts'
import { Layout } from '../../framework/layout.tsx'

const ways: Record<ActivityEntry['surface'], string> = {
  v1: 'API',
  legacy: 'Legacy API',
  mcp: 'MCP',
  page: 'Browser',
  cli: 'Command line',
}

interface Shown {
  path: string
  entries: readonly ActivityEntry[]
  /** Where the older entries begin; null where there are none. */
  before: number | null
  isFirst: boolean
  /** The flights among what they are about that can be opened. */
  flights: ReadonlySet<number>
}

type EntriesProps = Pick<Shown, 'entries' | 'flights'> & Pick<Frame, 'formats' | 'basePath'>

function Entries({ entries, flights, formats, basePath }: EntriesProps) {
  return (
    <ListTable
      caption="Activity"
      stacked
      rows={entries}
      columns={[
        {
          title: 'What',
          names: true,
          cell: ({ summary, subject }) =>
            subject?.kind === 'flight' && flights.has(Number(subject.id)) ? (
              <a href={`${basePath}/flights/${subject.id}`}>{summary}</a>
            ) : (
              summary
            ),
        },
        { title: 'When', cell: ({ at }) => <time dateTime={at}>{formats.moment(at)}</time> },
        {
          title: 'How',
          cell: ({ surface, credential, address }) => (
            <>
              {ways[surface]}
              {(credential ?? address) !== null && <bdi class="beside">{credential ?? address}</bdi>}
            </>
          ),
        },
      ]}
    />
  )
}

/** The ways to the other parts, with what was sought. */
function OtherEntries({
  path,
  before,
  isFirst,
  sought,
}: Pick<Shown, 'path' | 'before' | 'isFirst'> & { sought: Record<string, string> }) {
  const link = (more: Record<string, string>) => addressOf(path, '', { ...sought, ...more })
  if (isFirst && before === null) return null
  return (
    <Parts
      things="entries"
      back={!isFirst && { href: link({}), words: 'Newest' }}
      next={before !== null && { href: link({ before: String(before) }), words: 'Older' }}
    />
  )
}

interface Props extends Frame, Shown {
  person: string
  /** Whether somebody has that name. */
  isKnown: boolean
  kind: ActivityKind | undefined
}

function Choice({ path, person, kind }: Pick<Props, 'path' | 'person' | 'kind'>) {
  const options = kindNames.map((name) => ({ value: name as string, label: kindOf(name).label }))
  return (
    <SearchForm action={path} submit="Show">
      <Field
        id="person"
        name="person"
        label="User name"
        input={{ type: 'text', value: person, autocomplete: 'off', autocapitalize: 'none', spellcheck: false }}
      />
      <SelectField
        id="kind"
        name="kind"
        label="Kind"
        value={kind ?? ''}
        options={[{ value: '', label: 'Everything' }, ...options]}
      />
    </SearchForm>
  )
}

export function ActivityPage({ entries, flights, person, isKnown, kind, path, before, isFirst, ...frame }: Props) {
  const sought = { ...(person !== '' && { person }), ...(kind && { kind }) }
  return (
    <Layout {...frame} title="Activity – Paxlog" place="activity">
      <h1>Activity</h1>
      <p class="quiet">Who did what, newest first. Entries are kept for 400 days.</p>
      <Choice path={path} person={person} kind={kind} />
      {!isKnown && <p role="status">Nobody has the user name “{person}”.</p>}
      {isKnown && entries.length === 0 && <p role="status">Nothing like that is recorded.</p>}
      {entries.length > 0 && <Entries {...frame} entries={entries} flights={flights} />}
      <OtherEntries path={path} before={before} isFirst={isFirst} sought={sought} />
    </Layout>
  )
}

export function OwnActivityPage({ entries, flights, path, before, isFirst, ...frame }: Frame & Shown) {
  return (
    <Layout {...frame} title="Activity – Paxlog" place="ownActivity">
      <h1>Activity</h1>
      <p class="quiet">
        Your sign-ins, your keys and applications, and what anybody did with your flights, newest first. Entries are
        kept for 400 days.
      </p>
      {entries.length === 0 && <p>Nothing is recorded yet.</p>}
      {entries.length > 0 && <Entries {...frame} entries={entries} flights={flights} />}
      <OtherEntries path={path} before={before} isFirst={isFirst} sought={{}} />
    </Layout>
  )
}
