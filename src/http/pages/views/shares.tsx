import type { Share, ShareFlag } from '../../../domain/shares/contract.ts'
import type { Frame, Viewer } from '../context.ts'
import type { Formats } from '../formats.ts'
import { FaultSummary, type Faults, Hidden } from './fields.tsx'
import { Layout } from './layout.tsx'
import { type ShareFields, ShareForm, shareFields } from './share-form.tsx'

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
  const address = `address-${id}`
  const own = <span class="unseen"> {slug}</span>
  return (
    <li class="card">
      <h2>{slug}</h2>
      <p class="secret">
        <code id={address}>{url}</code>
        <button type="button" data-copy={address} hidden>
          Copy<span class="unseen"> the address of {slug}</span>
        </button>
      </p>
      <dl class="facts">
        <div>
          <dt>Shows</dt>
          <dd>
            {contentOf(share)}; {periodOf(share, formats)}
          </dd>
        </div>
        <div>
          <dt>State</dt>
          <dd>
            <Expiry share={share} now={now} formats={formats} />
          </dd>
        </div>
      </dl>
      <div class="folds">
        <span class="links">
          <a href={`${basePath}/share/${slug}`}>See the page{own}</a>
          <a href={`${basePath}/settings/shares/${id}`}>Change{own}</a>
        </span>
        <details class="danger">
          <summary class="fold bad">
            Delete<span class="unseen"> the share {slug}</span>
          </summary>
          <form method="post" action={`${basePath}/settings/shares/${id}/delete`}>
            <Hidden csrf={viewer.csrf} />
            <p>Its page is gone at once for everybody who has the address. Your flights stay.</p>
            <button class="danger" type="submit">
              Delete this share
            </button>
          </form>
        </details>
      </div>
    </li>
  )
}

/** Where the pages of shares are, as people write it. */
const prefixOf = (basePath: string) => `${basePath}/share/`

interface Props extends Frame {
  shares: readonly Share[]
  now: number
  canRead: boolean
  fields: ShareFields
  faults: Faults
}

export function SharesPage({ shares, now, canRead, fields, faults, ...frame }: Props) {
  const { basePath, viewer, formats } = frame
  const faulty = Object.keys(faults).length > 0
  return (
    <Layout {...frame} title={`${faulty ? 'Error: ' : ''}Shares – Paxlog`} place="shares">
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
      <FaultSummary faults={faults} fields={shareFields} />
      {shares.length === 0 ? (
        <p>You have no shares.</p>
      ) : (
        <ul class="cards">
          {shares.map((share) => (
            <ShareCard key={share.id} share={share} basePath={basePath} viewer={viewer} now={now} formats={formats} />
          ))}
        </ul>
      )}
      <p class="quiet" role="status" id="copied" />
      <details class="new" open={faulty || shares.length === 0}>
        <summary class="button">New share</summary>
        <ShareForm
          action={`${basePath}/settings/shares`}
          csrf={viewer.csrf}
          prefix={prefixOf(basePath)}
          fields={fields}
          faults={faults}
          isNew
          button="Open the page"
        />
      </details>
    </Layout>
  )
}

interface EditProps extends Frame {
  share: Share
  fields: ShareFields
  faults: Faults
}

export function EditSharePage({ share, fields, faults, ...frame }: EditProps) {
  const { basePath, viewer } = frame
  const faulty = Object.keys(faults).length > 0
  return (
    <Layout {...frame} title={`${faulty ? 'Error: ' : ''}Share ${share.slug} – Paxlog`} place="shares" below>
      <p class="crumb">
        <a href={`${basePath}/settings/shares`}>Shares</a>
      </p>
      <h1>Share {share.slug}</h1>
      <FaultSummary faults={faults} fields={shareFields} />
      <ShareForm
        action={`${basePath}/settings/shares/${share.id}`}
        csrf={viewer.csrf}
        prefix={prefixOf(basePath)}
        fields={fields}
        faults={faults}
        isNew={false}
        button="Save"
      />
    </Layout>
  )
}
