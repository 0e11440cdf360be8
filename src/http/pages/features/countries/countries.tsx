import type { FastifyInstance } from 'fastify'
import type { ComponentChildren } from 'preact'
import { continentOf, countryCodes } from '../../../../domain/reference/countries.ts'
import { VisitedCountryQuery, VisitedCountryWrite } from '../../../../domain/visited/contract.ts'
import type { KnownCountry } from '../../../../domain/visited/service.ts'
import { CountryMap, type CountryStatus } from '../../components/country-map.tsx'
import { ErrorSummary, Field } from '../../components/fields.tsx'
import { addressOf, queryWith } from '../../components/filter-bar/filter.ts'
import { FilterBar, NothingFound } from '../../components/filter-bar/filter-bar.tsx'
import { filterBar, type ShownFilter } from '../../components/filter-bar/read-filter.ts'
import { Form, formFields, PostForm } from '../../components/forms.tsx'
import { Pairs } from '../../components/lists.tsx'
import { Flag } from '../../components/marks.tsx'
import { Section } from '../../components/section.tsx'
import { percent } from '../../components/shares.tsx'
import type { Frame, PageContext } from '../../framework/context.ts'
import type { Formats } from '../../framework/formats.ts'
import {
  type FieldErrors,
  type FormErrors,
  type FormValues,
  formSpecs,
  readForm,
  requireAny,
  submit,
} from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'
import { useTexts } from '../../framework/localization.ts'
import { signedInPages, type Visit } from '../../framework/signed-in.ts'
import type { CountryShape } from '../../maps/world.ts'
import type { PageTexts } from '../../texts/languages.ts'

const PATH = '/countries'
const MAX_NOTE_LENGTH = 1000

const statuses = ['lived', 'visited', 'layover', 'wishlist'] as const satisfies CountryStatus[]

type CountryTexts = PageTexts['countries']

const specsIn = (t: CountryTexts) =>
  formSpecs({
    code: { id: 'code', label: t.country, kind: 'select', required: true },
    status: {
      id: 'status',
      label: t.status,
      kind: 'select',
      required: true,
      options: statuses.map((value) => ({ value, label: t.statuses[value] })),
    },
    note: { id: 'note', label: t.note, maxLength: MAX_NOTE_LENGTH },
  })

type Entries = FormValues<ReturnType<typeof specsIn>>

const codesByContinent: ReadonlyMap<string, string[]> = Map.groupBy(countryCodes, continentOf)

interface Props extends Frame {
  records: readonly KnownCountry[]
  shapes: readonly CountryShape[]
  size: { width: number; height: number }
  shown: ShownFilter
  typed: Entries
  fieldErrors: FieldErrors
}

/** A status of the user replaces the one from flights. */
const statusOf = ({ status, derived }: KnownCountry): CountryStatus | undefined =>
  status ?? (derived ? 'visited' : undefined)

const isVisited = (record: KnownCountry) => statusOf(record) !== 'wishlist'

function factsOf(record: KnownCountry, formats: Formats, t: CountryTexts): string {
  const { derived, flights, airports, firstDate, lastDate, firstPrecision, lastPrecision } = record
  if (!derived) return t.noFlights
  const [first, last] = [formats.day(firstDate!, firstPrecision), formats.day(lastDate!, lastPrecision)]
  const days = first === last ? first : `${first} – ${last}`
  return `${t.flights({ count: flights })}, ${t.airports({ count: airports })}, ${days}`
}

const StatusKey = ({ status, children }: { status: CountryStatus; children: ComponentChildren }) => (
  <span class={`key status-${status}`}>{children}</span>
)

type RowProps = Pick<Props, 'basePath' | 'viewer' | 'formats' | 'shown'> & { record: KnownCountry }

function Row({ record, basePath, viewer, formats, shown }: RowProps) {
  const { countries: t, names } = useTexts()
  const { code, derived, status, note } = record
  const country = names.country(code)
  const unseen = (text: string) => <span class="unseen">{text}</span>
  const shownStatus = statusOf(record)
  return (
    <li id={`country-${code}`}>
      <details>
        <summary>
          <span class="name">
            <Flag country={code} basePath={basePath} /> {country}
          </span>
          {shownStatus ? <StatusKey status={shownStatus}>{t.statuses[shownStatus]}</StatusKey> : <span />}
          <span class="quiet">{factsOf(record, formats, t)}</span>
        </summary>
        <Form method="post" action={basePath + PATH} hidden={{ csrf: viewer.csrf, code }}>
          {/* The Enter key in the note presses the first button, which keeps the status. */}
          <button class="unseen" type="submit" name="status" value={shownStatus} tabIndex={-1}>
            {t.saveNote}
          </button>
          <Field
            id={`note-${code}`}
            name="note"
            label={t.note}
            input={{ value: note ?? '', maxLength: MAX_NOTE_LENGTH, dir: 'auto', autocomplete: 'off' }}
          />
          <p class="actions">
            {statuses.map((value) => (
              <button key={value} type="submit" name="status" value={value} aria-pressed={value === status}>
                <StatusKey status={value}>{t.setStatus({ status: t.statuses[value], country, unseen })}</StatusKey>
              </button>
            ))}
            {status !== null && (
              <button type="submit" name="status" value="">
                {t.clearStatus({ country, unseen })}
              </button>
            )}
          </p>
          {derived && (
            <p>
              <a
                class="standalone"
                href={basePath + addressOf('/', queryWith(shown, { country: code, completed: 'true' }))}
              >
                {t.flightsOf({ country })}
              </a>
            </p>
          )}
        </Form>
      </details>
    </li>
  )
}

function Continents({ records, ...rest }: Omit<RowProps, 'record'> & Pick<Props, 'records'>) {
  const { countries: t, names } = useTexts()
  const continents: Readonly<Record<string, string>> = t.continents
  const groups = [...Map.groupBy(records, ({ continent }) => continent)]
    .map(([id, own]) => {
      const visited = own.filter(isVisited).length
      return { id, own, name: continents[id]!, visited, total: codesByContinent.get(id)?.length ?? 0 }
    })
    .sort((a, b) => b.visited - a.visited || names.compare(a.name, b.name))
  return (
    <>
      {groups.map(({ id, name, own, visited, total }) => (
        <section key={id} aria-labelledby={`continent-${id}`}>
          <h2 id={`continent-${id}`}>
            {name} <span class="quiet">{t.ofTotal({ count: visited, total })}</span>
          </h2>
          <svg class="beam reached" width="100%" aria-hidden="true">
            <rect class="amount" width={percent(visited / Math.max(1, total))} height="6" rx="3" />
          </svg>
          <ul class="countries">
            {own
              .sort((a, b) => names.compare(names.country(a.code), names.country(b.code)))
              .map((record) => (
                <Row key={record.code} record={record} {...rest} />
              ))}
          </ul>
        </section>
      ))}
    </>
  )
}

function CountriesPage({ records, shapes, size, shown, typed, fieldErrors, ...frame }: Props) {
  const { countries: t, names } = useTexts()
  const { basePath, viewer, formats } = frame
  const specs = specsIn(t)
  const known = new Map(records.flatMap((record) => (statusOf(record) ? [[record.code, statusOf(record)!]] : [])))
  const field = formFields(specs, typed, fieldErrors)
  const options = countryCodes
    .map((code) => ({ value: code, label: names.country(code) }))
    .sort((a, b) => names.compare(a.label, b.label))
  const counts = statuses.map((status) => ({
    status,
    count: [...known.values()].filter((each) => each === status).length,
  }))
  const summary = counts.filter(({ count }) => count > 0).map(({ status, count }) => t.counts[status]({ count }))
  const bar = { basePath, action: PATH, shown }
  const visited = records.filter(isVisited)
  const continents = new Set(visited.map(({ continent }) => continent)).size
  return (
    <Layout {...frame} title={t.title} fieldErrors={fieldErrors} place="countries">
      <div class="lead">
        <h1>{t.title}</h1>
        <p class="actions">
          <a class="button" href="#mark">
            {t.setAnyStatus}
          </a>
        </p>
      </div>
      <Pairs
        class="headline"
        pairs={[
          [t.ofCountries({ total: countryCodes.length }), formats.count(visited.length)],
          [t.ofContinents({ total: codesByContinent.size }), formats.count(continents)],
          [t.partOfWorld, t.percent({ value: Math.round((visited.length / countryCodes.length) * 100) })],
        ]}
      />
      <p class="quiet">{t.basis}</p>
      <ErrorSummary fieldErrors={fieldErrors} fields={specs} />
      <FilterBar {...bar} />
      {records.length === 0 && shown.chips.length > 0 ? (
        <NothingFound {...bar} />
      ) : (
        <Section id="world" title={t.map} untitled>
          <CountryMap
            shapes={shapes}
            size={size}
            statuses={known}
            description={summary.length > 0 ? t.mapDescription({ counts: names.list(summary) }) : t.mapEmpty}
          />
          <p class="legend">
            {counts.map(({ status, count }) => (
              <StatusKey key={status} status={status}>
                {t.statuses[status]} <span class="count">{count}</span>
              </StatusKey>
            ))}
          </p>
        </Section>
      )}
      <Continents {...{ records, basePath, viewer, formats, shown }} />
      <Section id="mark" title={t.setAnyStatus}>
        <PostForm action={basePath + PATH} csrf={viewer.csrf} submit={t.save}>
          <div class="columns three">
            {field('code', { options: [{ value: '', label: t.chooseCountry }, ...options] })}
            {field('status')}
            {field('note')}
          </div>
        </PostForm>
      </Section>
    </Layout>
  )
}

export async function countriesPage(app: FastifyInstance, context: PageContext): Promise<void> {
  const { visited } = context
  const pages = signedInPages(app, context)
  const readFilter = filterBar(context)

  async function show(
    visit: Visit,
    typed: Entries = { code: '', status: 'visited', note: '' },
    { status, fieldErrors = {} }: Partial<FormErrors> = {},
  ) {
    const { caller, frame, send } = visit
    const shown = await readFilter(visit, { onlyFlown: true })
    const all = await visited.known(caller, shown.filter)
    // A country without flights has no date and no airline, so it matches no filter.
    const records = shown.chips.length > 0 ? all.filter(({ derived }) => derived) : all
    // Loaded on demand to keep the start fast.
    const { worldCountries, worldSize } = await import('../../maps/world.ts')
    return send(
      <CountriesPage
        {...frame}
        {...{ records, shown, typed, fieldErrors }}
        shapes={await worldCountries()}
        size={worldSize(records.some(({ code }) => code === 'AQ'))}
      />,
      status,
    )
  }

  pages.get(PATH, (visit) => {
    requireAny(visit.caller, 'flight.read.own')
    return show(visit)
  })

  pages.post(PATH, (visit) => {
    const { caller, form, back } = visit
    const { countries: t, names } = visit.texts
    const typed = readForm(specsIn(t), form)
    const again = (refused: FormErrors) => show(visit, typed, refused)
    const done = (notice: 'saved' | 'cleared') => () =>
      back(`${PATH}#country-${typed.code}`, t[notice]({ country: names.country(typed.code) }))
    if (typed.status === '') {
      return submit({
        texts: visit.texts,
        schema: VisitedCountryQuery,
        body: typed,
        work: ({ code }) => visited.remove(caller, code),
        again,
        done: done('cleared'),
      })
    }
    return submit({
      texts: visit.texts,
      schema: VisitedCountryWrite,
      body: { ...typed, note: typed.note.trim() === '' ? null : typed.note },
      work: (body) => visited.put(caller, body),
      again,
      done: done('saved'),
    })
  })
}
