import type { FastifyInstance } from 'fastify'
import { CalendarDay } from '../../../../contract/common.ts'
import { toErrorDetails } from '../../../../contract/issues.ts'
import { type Share, type ShareFlag, ShareWrite, shareFlags } from '../../../../domain/shares/contract.ts'
import { CopiedLine } from '../../components/copyable.tsx'
import { ErrorSummary } from '../../components/fields.tsx'
import { DangerForm } from '../../components/forms.tsx'
import { PageLinks, type PageOfList, Pairs } from '../../components/lists.tsx'
import { Crumb } from '../../components/section.tsx'
import type { Frame, PageContext } from '../../framework/context.ts'
import { crudPages } from '../../framework/crud.ts'
import type { Formats } from '../../framework/formats.ts'
import { type FieldErrors, type FormErrors, fieldErrorsOf, readForm, submit } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'
import { useTexts } from '../../framework/localization.ts'
import { idOf, pageOfList } from '../../framework/signed-in.ts'
import type { PageTexts } from '../../texts/languages.ts'
import { type ShareEntries, ShareForm, shareSpecs } from './share-form.tsx'

const PATH = '/settings/shares'
const PAGE_SIZE = 50

type ShareTexts = PageTexts['shares']
type TripNames = ReadonlyMap<number, string>

function contentOf(share: Share, { shares: t, names }: PageTexts): string {
  const shown = (Object.keys(t.contents) as ShareFlag[]).filter(
    (flag) => share[flag] && (share.showFlightList || ['showMap', 'showTracks', 'showStats'].includes(flag)),
  )
  return shown.length === 0 ? t.onlyCount : names.list(shown.map((flag) => t.contents[flag]))
}

function periodOf({ dateFrom, dateTo }: Share, formats: Formats, t: ShareTexts): string {
  const from = dateFrom === null ? undefined : formats.day(dateFrom)
  const to = dateTo === null ? undefined : formats.day(dateTo)
  if (from && to) return t.flightsBetween({ from, to })
  if (from) return t.flightsSince({ from })
  return to ? t.flightsUntil({ to }) : t.allFlights
}

function flightsOf(share: Share, tripNames: TripNames, formats: Formats, t: ShareTexts): string {
  const period = periodOf(share, formats, t)
  if (share.tripId === null) return period
  return t.flightsOfTrip({ name: tripNames.get(share.tripId) ?? t.unnamedTrip, period })
}

function Expiry({ share, now, formats }: { share: Share; now: number; formats: Formats }) {
  const t = useTexts().shares
  const { expiresAt } = share
  if (expiresAt === null) return <>{t.unlimited}</>
  const parts = { moment: formats.moment(expiresAt), time: (text: string) => <time dateTime={expiresAt}>{text}</time> }
  const hasExpired = Date.parse(expiresAt) <= now
  return <>{hasExpired ? t.closedSince({ ...parts, strong: (text) => <strong>{text}</strong> }) : t.openUntil(parts)}</>
}

type CardProps = Frame & { share: Share; tripNames: TripNames; now: number }

function ShareCard({ share, tripNames, now, basePath, viewer, formats }: CardProps) {
  const { id, slug, url } = share
  const texts = useTexts()
  const t = texts.shares
  const parts = { slug, unseen: (text: string) => <span class="unseen">{text}</span> }
  return (
    <li class="card">
      <h2>{slug}</h2>
      <CopiedLine id={`address-${id}`} text={url} of={t.addressOf({ slug })} />
      <Pairs
        class="facts"
        pairs={[
          [
            t.shows,
            t.contentAndPeriod({ content: contentOf(share, texts), period: flightsOf(share, tripNames, formats, t) }),
          ],
          [t.state, <Expiry key="state" share={share} now={now} formats={formats} />],
        ]}
      />
      <div class="folds">
        <span class="links">
          <a href={`${basePath}/share/${slug}`}>{t.viewPage(parts)}</a>
          <a href={`${basePath}${PATH}/${id}`}>{t.edit(parts)}</a>
        </span>
        <DangerForm
          action={`${basePath}${PATH}/${id}/delete`}
          csrf={viewer.csrf}
          summary={t.delete(parts)}
          button={t.deleteThis}
        >
          <p>{t.deleteWarning}</p>
        </DangerForm>
      </div>
    </li>
  )
}

interface Props extends Frame {
  shares: readonly Share[]
  tripNames: TripNames
  part: PageOfList
  now: number
  entries: ShareEntries
  fieldErrors: FieldErrors
}

function SharesPage({ shares, tripNames, now, entries, fieldErrors, part, ...frame }: Props) {
  const t = useTexts().shares
  const action = frame.basePath + PATH
  const hasErrors = Object.keys(fieldErrors).length > 0
  return (
    <Layout {...frame} title={t.title} fieldErrors={fieldErrors} place="shares">
      <h1>{t.title}</h1>
      <p class="quiet">{t.introduction}</p>
      {!frame.viewer.permissions.has('flight.read.own') && <p class="warning">{t.noAccess}</p>}
      <ErrorSummary fieldErrors={fieldErrors} fields={shareSpecs(t.form)} />
      {shares.length === 0 ? (
        <p class="card empty">{t.noShares}</p>
      ) : (
        <ul class="cards" id="shares">
          {shares.map((share) => (
            <ShareCard key={share.id} {...frame} share={share} tripNames={tripNames} now={now} />
          ))}
        </ul>
      )}
      <PageLinks {...part} anchor="shares" />
      <p class="quiet" role="status" id="copied" />
      <details class="new" open={hasErrors}>
        <summary class={shares.length === 0 ? 'button primary' : 'button'}>{t.newShare}</summary>
        <ShareForm action={action} frame={frame} entries={entries} fieldErrors={fieldErrors} isNew />
      </details>
    </Layout>
  )
}

interface EditProps extends Frame {
  share: Share
  entries: ShareEntries
  fieldErrors: FieldErrors
}

function EditSharePage({ share, entries, fieldErrors, ...frame }: EditProps) {
  const t = useTexts().shares
  const action = `${frame.basePath}${PATH}/${share.id}`
  return (
    <Layout {...frame} title={t.share({ slug: share.slug })} fieldErrors={fieldErrors} place="shares" below>
      <Crumb href={frame.basePath + PATH}>{t.title}</Crumb>
      <h1>{t.share({ slug: share.slug })}</h1>
      <ErrorSummary fieldErrors={fieldErrors} fields={shareSpecs(t.form)} />
      <ShareForm action={action} frame={frame} entries={entries} fieldErrors={fieldErrors} isNew={false} />
    </Layout>
  )
}

const defaults = ShareWrite.parse({})

const entriesOf = (share: ShareWrite | Share): ShareEntries => ({
  slug: share.slug ?? '',
  expires: share.expiresAt?.slice(0, 10) ?? '',
  dateFrom: share.dateFrom ?? '',
  dateTo: share.dateTo ?? '',
  shown: shareFlags.filter((flag) => share[flag]),
})

/** Replaces messages of the API that name its fields. */
function inPlainWords({ status, fieldErrors }: FormErrors, texts: PageTexts): FormErrors {
  const t = texts.shares.form
  if (status === 409) return { status, fieldErrors: { slug: t.slugTaken } }
  const isReversed = fieldErrors.dateTo === texts.messages.input.notBefore({ field: 'dateFrom' })
  return { status, fieldErrors: { ...fieldErrors, ...(isReversed && { dateTo: t.datesReversed }) } }
}

const fieldAt = ([first = '']: readonly string[]) => (first === 'expiresAt' ? 'expires' : first)

function submissionOf({ shown, ...typed }: ShareEntries, texts: PageTexts, stored?: Share) {
  const expires = typed.expires.trim() || null
  const day = CalendarDay.nullable().safeParse(expires)
  // An unchanged day keeps the exact time, which an API client may have set.
  const kept = stored?.expiresAt?.slice(0, 10) === expires ? stored?.expiresAt : undefined
  return {
    schema: ShareWrite,
    body: {
      slug: typed.slug.trim() || null,
      expiresAt: expires && day.success ? (kept ?? `${expires}T23:59:59Z`) : null,
      dateFrom: typed.dateFrom.trim() || null,
      dateTo: typed.dateTo.trim() || null,
      ...Object.fromEntries(shareFlags.map((flag) => [flag, shown.includes(flag)])),
    },
    fieldErrors: day.success ? {} : fieldErrorsOf(toErrorDetails(day.error), texts, () => 'expires'),
    fieldAt,
    unique: 'slug',
  }
}

export async function sharesPage(app: FastifyInstance, context: PageContext): Promise<void> {
  const { basePath, shares, trips, now = Date.now } = context

  crudPages<ShareEntries, Share>(app, context, {
    path: PATH,
    list({ caller, request, frame }, { entries = entriesOf(defaults), fieldErrors }) {
      const { page = 1 } = request.query as { page?: unknown }
      const part = pageOfList(Number(page), shares.count(caller), PAGE_SIZE)
      const listed = shares.list(caller, part)
      // Without the permission to read flights, trips have no names.
      const canRead = caller.permissions.has('flight.read.own') && listed.some(({ tripId }) => tripId !== null)
      const tripNames = new Map(canRead ? trips.names(caller).map(({ id, name }) => [id, name]) : [])
      return (
        <SharesPage
          {...frame}
          shares={listed}
          tripNames={tripNames}
          part={{ ...part, path: basePath + PATH }}
          now={now()}
          entries={entries}
          fieldErrors={fieldErrors}
        />
      )
    },
    create({ caller, form, texts, back }, again) {
      const t = texts.shares
      const entries = readForm(shareSpecs(t.form), form)
      return submit({
        texts,
        ...submissionOf(entries, texts),
        work: (body) => shares.create(caller, body),
        again: (refused) => again(entries)(inPlainWords(refused, texts)),
        done: ({ url }) => back(PATH, t.created({ url })),
      })
    },
    find: ({ caller, request }) => shares.get(caller, idOf(request, 'share')),
    edit: ({ frame }, share, { entries = entriesOf(share), fieldErrors }) => (
      <EditSharePage {...frame} share={share} entries={entries} fieldErrors={fieldErrors} />
    ),
    update({ caller, form, texts, back }, share, again) {
      const t = texts.shares
      const entries = readForm(shareSpecs(t.form), form)
      return submit({
        texts,
        ...submissionOf(entries, texts, share),
        work: (body) => shares.update(caller, share.id, body),
        again: (refused) => again(entries)(inPlainWords(refused, texts)),
        done: () => back(PATH, t.changed),
      })
    },
    remove: ({ caller }, { id }) => shares.remove(caller, id),
    removed: (texts) => texts.shares.deleted,
  })
}
