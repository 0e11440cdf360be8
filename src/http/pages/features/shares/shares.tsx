import type { FastifyInstance } from 'fastify'
import { CalendarDay } from '../../../../contract/common.ts'
import { toErrorDetails } from '../../../../contract/issues.ts'
import { type Share, type ShareFlag, ShareWrite, shareFlags } from '../../../../domain/shares/contract.ts'
import { CopiedLine } from '../../components/copyable.tsx'
import { FaultSummary } from '../../components/fields.tsx'
import { DangerForm } from '../../components/forms.tsx'
import { Pairs, type Part, PartLinks } from '../../components/lists.tsx'
import { Crumb } from '../../components/section.tsx'
import type { Frame, PageContext } from '../../framework/context.ts'
import { crudPages } from '../../framework/crud.ts'
import type { Formats } from '../../framework/formats.ts'
import { type Faults, faultsOf, type Refused, readForm, submit } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'
import { idOf, partOf } from '../../framework/signed-in.ts'
import { type ShareEntries, ShareForm, shareSpecs } from './share-form.tsx'

const PATH = '/settings/shares'
const PAGE_SIZE = 50

const shortNames: Record<ShareFlag, string> = {
  showMap: 'map',
  showTracks: 'tracks',
  showStats: 'statistics',
  showFlightList: 'list of flights',
  showDates: 'dates',
  showTimes: 'times',
  showFlightNumbers: 'flight numbers',
  showAirlines: 'airlines',
  showAircraft: 'aircraft',
  showSeat: 'seats',
}

function contentOf(share: Share): string {
  const shown = (Object.keys(shortNames) as ShareFlag[]).filter(
    (flag) => share[flag] && (share.showFlightList || ['showMap', 'showTracks', 'showStats'].includes(flag)),
  )
  return shown.length === 0 ? 'only the number of flights' : shown.map((flag) => shortNames[flag]).join(', ')
}

function periodOf({ dateFrom, dateTo }: Share, formats: Formats): string {
  if (dateFrom !== null && dateTo !== null) return `flights from ${formats.day(dateFrom)} to ${formats.day(dateTo)}`
  if (dateFrom !== null) return `flights since ${formats.day(dateFrom)}`
  return dateTo === null ? 'all your flights' : `flights until ${formats.day(dateTo)}`
}

function Expiry({ share, now, formats }: { share: Share; now: number; formats: Formats }) {
  if (share.expiresAt === null) return <>open until you delete it</>
  const hasExpired = Date.parse(share.expiresAt) <= now
  return (
    <>
      {hasExpired ? <strong>closed since</strong> : 'open until'}{' '}
      <time dateTime={share.expiresAt}>{formats.moment(share.expiresAt)}</time>
    </>
  )
}

function ShareCard({ share, now, basePath, viewer, formats }: Frame & { share: Share; now: number }) {
  const { id, slug, url } = share
  const hiddenName = <span class="unseen"> {slug}</span>
  return (
    <li class="card">
      <h2>{slug}</h2>
      <CopiedLine id={`address-${id}`} text={url} of={`the address of ${slug}`} />
      <Pairs
        class="facts"
        pairs={[
          ['Shows', `${contentOf(share)}; ${periodOf(share, formats)}`],
          ['State', <Expiry key="state" share={share} now={now} formats={formats} />],
        ]}
      />
      <div class="folds">
        <span class="links">
          <a href={`${basePath}/share/${slug}`}>View page{hiddenName}</a>
          <a href={`${basePath}${PATH}/${id}`}>Edit{hiddenName}</a>
        </span>
        <DangerForm
          action={`${basePath}${PATH}/${id}/delete`}
          csrf={viewer.csrf}
          summary={
            <>
              Delete<span class="unseen"> the share {slug}</span>
            </>
          }
          button="Delete this share"
        >
          <p>The page stops working immediately for everyone who has the link. Your flights stay.</p>
        </DangerForm>
      </div>
    </li>
  )
}

interface Props extends Frame {
  shares: readonly Share[]
  part: Part
  now: number
  entries: ShareEntries
  faults: Faults
}

function SharesPage({ shares, now, entries, faults, part, ...frame }: Props) {
  const action = frame.basePath + PATH
  const hasFaults = Object.keys(faults).length > 0
  return (
    <Layout {...frame} title="Shares – Paxlog" faults={faults} place="shares">
      <h1>Shares</h1>
      <p class="quiet">
        A share is a public page with part of your log. Anyone who has the link can open it without signing in.
      </p>
      {!frame.viewer.permissions.has('flight.read.own') && (
        <p class="warning">
          Your role does not permit reading flights, so these pages are not available. Ask an administrator to change
          it.
        </p>
      )}
      <FaultSummary faults={faults} fields={shareSpecs} />
      {shares.length === 0 ? (
        <p>You have no shares.</p>
      ) : (
        <ul class="cards" id="shares">
          {shares.map((share) => (
            <ShareCard key={share.id} {...frame} share={share} now={now} />
          ))}
        </ul>
      )}
      <PartLinks {...part} things="shares" anchor="shares" />
      <p class="quiet" role="status" id="copied" />
      <details class="new" open={hasFaults || shares.length === 0}>
        <summary class="button">New share</summary>
        <ShareForm action={action} frame={frame} entries={entries} faults={faults} isNew />
      </details>
    </Layout>
  )
}

interface EditProps extends Frame {
  share: Share
  entries: ShareEntries
  faults: Faults
}

function EditSharePage({ share, entries, faults, ...frame }: EditProps) {
  const action = `${frame.basePath}${PATH}/${share.id}`
  return (
    <Layout {...frame} title={`Share ${share.slug} – Paxlog`} faults={faults} place="shares" below>
      <Crumb href={frame.basePath + PATH}>Shares</Crumb>
      <h1>Share {share.slug}</h1>
      <FaultSummary faults={faults} fields={shareSpecs} />
      <ShareForm action={action} frame={frame} entries={entries} faults={faults} isNew={false} />
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
function inPlainWords({ status, faults }: Refused): Refused {
  if (status === 409) return { status, faults: { slug: 'This address is taken. Choose another one.' } }
  const isReversed = faults.dateTo === 'Must not be before dateFrom.'
  return { status, faults: { ...faults, ...(isReversed && { dateTo: 'Must not be before the first day.' }) } }
}

const fieldAt = ([first = '']: readonly string[]) => (first === 'expiresAt' ? 'expires' : first)

function submissionOf({ shown, ...typed }: ShareEntries, stored?: Share) {
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
    faults: day.success ? {} : faultsOf(toErrorDetails(day.error), () => 'expires'),
    fieldAt,
    unique: 'slug',
  }
}

export async function sharesPage(app: FastifyInstance, context: PageContext): Promise<void> {
  const { basePath, shares, now = Date.now } = context

  crudPages<ShareEntries, Share>(app, context, {
    path: PATH,
    list({ caller, request, frame }, { entries = entriesOf(defaults), faults }) {
      const { page = 1 } = request.query as { page?: unknown }
      const part = partOf(Number(page), shares.count(caller), PAGE_SIZE)
      return (
        <SharesPage
          {...frame}
          shares={shares.list(caller, part)}
          part={{ ...part, path: basePath + PATH }}
          now={now()}
          entries={entries}
          faults={faults}
        />
      )
    },
    create({ caller, form, back }, again) {
      const entries = readForm(shareSpecs, form)
      return submit({
        ...submissionOf(entries),
        work: (body) => shares.create(caller, body),
        again: (refused) => again(entries)(inPlainWords(refused)),
        done: ({ url }) => back(PATH, `Your page is open at ${url}`),
      })
    },
    find: ({ caller, request }) => shares.get(caller, idOf(request, 'share')),
    edit: ({ frame }, share, { entries = entriesOf(share), faults }) => (
      <EditSharePage {...frame} share={share} entries={entries} faults={faults} />
    ),
    update({ caller, form, back }, share, again) {
      const entries = readForm(shareSpecs, form)
      return submit({
        ...submissionOf(entries, share),
        work: (body) => shares.update(caller, share.id, body),
        again: (refused) => again(entries)(inPlainWords(refused)),
        done: () => back(PATH, 'The share was changed.'),
      })
    },
    remove: ({ caller }, { id }) => shares.remove(caller, id),
    removed: () => 'The share was deleted. Its page no longer exists.',
  })
}
