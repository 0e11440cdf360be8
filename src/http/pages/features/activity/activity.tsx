import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../../../access/caller.ts'
import {
  type ActivityKind,
  describeActivity,
  isActivityKind,
  kindNames,
  kindOf,
  type ShownEntry,
} from '../../../../domain/activity/contract.ts'
import { Field, SelectField } from '../../components/fields.tsx'
import { addressOf } from '../../components/filter-bar/filter.ts'
import { SearchForm } from '../../components/forms.tsx'
import { ListTable, Pagination } from '../../components/lists.tsx'
import type { Frame, PageContext } from '../../framework/context.ts'
import { Layout } from '../../framework/layout.tsx'
import { useTexts } from '../../framework/localization.ts'
import { signedInPages } from '../../framework/signed-in.ts'

const [PATH, OWN_PATH] = ['/admin/activity', '/settings/activity']
const PAGE_SIZE = 50
/** Longer than any username. */
const MAX_NAME_LENGTH = 100

interface EntriesProps extends Frame {
  path: string
  entries: readonly ShownEntry[]
  /** The id to continue from; null on the last page. */
  before: number | null
  isFirst: boolean
  /** Flights that the viewer can open. */
  flights: ReadonlySet<number>
  /** Kept in the links to other pages. */
  query: Record<string, string>
}

function Entries({ path, entries, before, isFirst, flights, query, basePath, formats }: EntriesProps) {
  const texts = useTexts()
  const t = texts.activity
  return (
    <>
      {entries.length > 0 && (
        <ListTable
          caption={t.title}
          stacked
          rows={entries}
          columns={[
            {
              title: t.what,
              names: true,
              cell: ({ kind, facts, subject }) => {
                const summary = describeActivity(texts.messages.activity, kind, facts)
                const isLink = subject?.kind === 'flight' && flights.has(Number(subject.id))
                return isLink ? <a href={`${basePath}/flights/${subject.id}`}>{summary}</a> : summary
              },
            },
            { title: t.when, cell: ({ at }) => <time dateTime={at}>{formats.moment(at)}</time> },
            {
              title: t.how,
              cell: ({ surface, credential, address }) => (
                <>
                  {t.surfaces[surface]}
                  {(credential ?? address) !== null && <bdi class="beside">{credential ?? address}</bdi>}
                </>
              ),
            },
          ]}
        />
      )}
      {(!isFirst || before !== null) && (
        <Pagination
          label={t.moreEntries}
          back={!isFirst && { href: addressOf(path, '', query), text: t.newest }}
          next={before !== null && { href: addressOf(path, '', { ...query, before: String(before) }), text: t.older }}
        />
      )}
    </>
  )
}

interface Props extends Omit<EntriesProps, 'query'> {
  person: string
  isKnown: boolean
  kind: ActivityKind | undefined
}

function ActivityPage({ person, isKnown, kind, ...props }: Props) {
  const texts = useTexts()
  const t = texts.activity
  const { labels } = texts.messages.activity
  const options = kindNames.map((name) => ({ value: name as string, label: labels[kindOf(name).key] }))
  return (
    <Layout {...props} title={t.title} place="activity">
      <h1>{t.title}</h1>
      <p class="quiet">{t.hint}</p>
      <SearchForm action={props.path} submit={t.apply}>
        <Field
          id="person"
          name="person"
          label={t.person}
          input={{ type: 'text', value: person, autocomplete: 'off', autocapitalize: 'none', spellcheck: false }}
        />
        <SelectField
          id="kind"
          name="kind"
          label={t.kind}
          value={kind ?? ''}
          options={[{ value: '', label: t.allKinds }, ...options]}
        />
      </SearchForm>
      {!isKnown && <p role="status">{t.unknownUser({ person })}</p>}
      {isKnown && props.entries.length === 0 && <p role="status">{t.noMatch}</p>}
      <Entries {...props} query={{ ...(person !== '' && { person }), ...(kind && { kind }) }} />
    </Layout>
  )
}

function OwnActivityPage(props: Omit<EntriesProps, 'query'>) {
  const t = useTexts().activity
  return (
    <Layout {...props} title={t.title} place="ownActivity">
      <h1>{t.title}</h1>
      <p class="quiet">{t.ownHint}</p>
      {props.entries.length === 0 && <p>{t.noEntries}</p>}
      <Entries {...props} query={{}} />
    </Layout>
  )
}

type ListRequest = { Querystring: { person?: unknown; kind?: unknown; before?: unknown } }

/** Anything but an id starts with the newest entry. */
const beforeOf = (text: unknown) =>
  typeof text === 'string' && /^[1-9]\d{0,14}$/.test(text) ? { before: Number(text) } : {}

export async function activityPages(app: FastifyInstance, context: PageContext): Promise<void> {
  const { basePath, activity, flights, users } = context

  /** Adds the flights that the page may link to. */
  const linked = <Page extends { entries: readonly ShownEntry[] }>(caller: Caller, page: Page) => ({
    ...page,
    flights: flights.readable(
      caller,
      page.entries.flatMap(({ subject }) => (subject?.kind === 'flight' ? Number(subject.id) : [])),
    ),
  })

  signedInPages(app, context, 'users.update').get<ListRequest>(PATH, ({ caller, request: { query }, frame, send }) => {
    const name = typeof query.person === 'string' ? query.person.trim().slice(0, MAX_NAME_LENGTH) : ''
    const kind = isActivityKind(query.kind) ? query.kind : undefined
    const account = name === '' ? undefined : users.findByName(name)
    const isKnown = name === '' || account !== undefined
    const person = isKnown ? account : activity.formerly(name)
    const where = { ...beforeOf(query.before), limit: PAGE_SIZE }
    return send(
      <ActivityPage
        {...frame}
        path={basePath + PATH}
        {...linked(caller, activity.list(caller, { ...where, kind, person }))}
        isFirst={where.before === undefined}
        person={name}
        isKnown={isKnown}
        kind={kind}
      />,
    )
  })

  signedInPages(app, context).get<ListRequest>(OWN_PATH, ({ caller, request: { query }, frame, send }) => {
    const where = { ...beforeOf(query.before), limit: PAGE_SIZE }
    return send(
      <OwnActivityPage
        {...frame}
        path={basePath + OWN_PATH}
        {...linked(caller, activity.listOwn(caller, where))}
        isFirst={where.before === undefined}
      />,
    )
  })
}
