import type { Share, ShareFlag } from '../../../../domain/shares/contract.ts'
import { CopiedLine } from '../../components/copyable.tsx'
import { FaultSummary } from '../../components/fields.tsx'
import { DangerForm } from '../../components/forms.tsx'
import { Pairs, type Part, PartLinks } from '../../components/lists.tsx'
import { Crumb } from '../../components/section.tsx'
import type { Frame, Viewer } from '../../framework/context.ts'
import type { Formats } from '../../framework/formats.ts'
import type { Faults } from '../../framework/forms.ts'
import { Layout } from '../../framework/layout.tsx'
import { type ShareEntries, ShareForm, shareSpecs } from './share-form.tsx'

const shortWords: Record<ShareFlag, string> = {
  showMap: 'map',
  showTracks: 'tracks',
  showStats: 'figures',
  showFlightList: 'list of flights',
  showDates: 'dates',
  showTimes: 'times',
  showFlightNumbers: 'flight numbers',
  showAirlines: 'airlines',
  showAircraft: 'aircraft',
  showSeat: 'seats',
}

/** The parts of the page, and what the list tells where there is one. */
function contentOf(share: Share): string {
  const parts = (Object.keys(shortWords) as ShareFlag[]).filter((flag) => share[flag])
  const told = parts.filter((flag) => share.showFlightList || ['showMap', 'showTracks', 'showStats'].includes(flag))
  return told.length === 0 ? 'the number of flights only' : told.map((flag) => shortWords[flag]).join(', ')
}

function periodOf({ dateFrom, dateTo }: Share, formats: Formats): string {
  if (dateFrom !== null && dateTo !== null) return `flights from ${formats.day(dateFrom)} to ${formats.day(dateTo)}`
  if (dateFrom !== null) return `flights from ${formats.day(dateFrom)} on`
  return dateTo === null ? 'all your flights' : `flights up to ${formats.day(dateTo)}`
}

function Expiry({ share, now, formats }: { share: Share; now: number; formats: Formats }) {
  if (share.expiresAt === null) return <>open until you delete it</>
  const over = Date.parse(share.expiresAt) <= now
  return (
    <>
      {over ? <strong>closed since</strong> : 'open until'}{' '}
      <time dateTime={share.expiresAt}>{formats.moment(share.expiresAt)}</time>
    </>
  )
}

interface CardProps {
  share: Share
  basePath: string
  viewer: Viewer
  now: number
  formats: Formats
}

function ShareCard({ share, basePath, viewer, now, formats }: CardProps) {
  const { id, slug, url } = share
  const own = <span class="unseen"> {slug}</span>
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
          <a href={`${basePath}/share/${slug}`}>See the page{own}</a>
          <a href={`${basePath}/settings/shares/${id}`}>Change{own}</a>
        </span>
        <DangerForm
          action={`${basePath}/settings/shares/${id}/delete`}
          csrf={viewer.csrf}
          summary={
            <>
              Delete<span class="unseen"> the share {slug}</span>
            </>
          }
          button="Delete this share"
        >
          <p>Its page is gone at once for everybody who has the address. Your flights stay.</p>
        </DangerForm>
      </div>
    </li>
  )
}

/** Where the pages of shares are, as people write it. */
const prefixOf = (basePath: string) => `${basePath}/share/`

interface Props extends Frame {
  shares: readonly Share[]
  part: Part
  now: number
  canRead: boolean
  entries: ShareEntries
  faults: Faults
}

export function SharesPage({ shares, now, canRead, entries, faults, part, ...frame }: Props) {
  const { basePath, viewer, formats } = frame
  const faulty = Object.keys(faults).length > 0
  return (
    <Layout {...frame} title="Shares – Paxlog" faults={faults} place="shares">
      <h1>Shares</h1>
      <p class="quiet">
        A share is a page with a part of your log. Whoever has its address can open it without signing in.
      </p>
      {!canRead && (
        <p class="warning">
          Your role does not include reading flights, so these pages stay closed. Whoever looks after the roles can
          change it.
        </p>
      )}
      <FaultSummary faults={faults} fields={shareSpecs} />
      {shares.length === 0 ? (
        <p>You have no shares.</p>
      ) : (
        <ul class="cards" id="shares">
          {shares.map((share) => (
            <ShareCard key={share.id} share={share} basePath={basePath} viewer={viewer} now={now} formats={formats} />
          ))}
        </ul>
      )}
      <PartLinks {...part} things="shares" anchor="shares" />
      <p class="quiet" role="status" id="copied" />
      <details class="new" open={faulty || shares.length === 0}>
        <summary class="button">New share</summary>
        <ShareForm
          action={`${basePath}/settings/shares`}
          csrf={viewer.csrf}
          prefix={prefixOf(basePath)}
          entries={entries}
          faults={faults}
          isNew
          submit="Create the share"
        />
      </details>
    </Layout>
  )
}

interface EditProps extends Frame {
  share: Share
  entries: ShareEntries
  faults: Faults
}

export function EditSharePage({ share, entries, faults, ...frame }: EditProps) {
  const { basePath, viewer } = frame
  return (
    <Layout {...frame} title={`Share ${share.slug} – Paxlog`} faults={faults} place="shares" below>
      <Crumb href={`${basePath}/settings/shares`}>Shares</Crumb>
      <h1>Share {share.slug}</h1>
      <FaultSummary faults={faults} fields={shareSpecs} />
      <ShareForm
        action={`${basePath}/settings/shares/${share.id}`}
        csrf={viewer.csrf}
        prefix={prefixOf(basePath)}
        entries={entries}
        faults={faults}
        isNew={false}
        submit="Save"
      />
    </Layout>
  )
}
