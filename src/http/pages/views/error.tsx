import { Layout } from './layout.tsx'
import { Pairs } from './lists.tsx'

interface ErrorProps {
  basePath: string
  status: number
  title: string
  text: string
}

/** Nobody is left at a page that leads nowhere. */
export function WayHome({ basePath }: { basePath: string }) {
  return (
    <p class="actions">
      <a class="button" href={basePath || '/'}>
        Go to the start page
      </a>
    </p>
  )
}

export function ErrorPage({ basePath, status, title, text }: ErrorProps) {
  return (
    <Layout title={`${title} – Paxlog`} basePath={basePath} narrow>
      <div class="card message">
        <p class="eyebrow">{status}</p>
        <h1>{title}</h1>
        <p>{text}</p>
        <WayHome basePath={basePath} />
      </div>
    </Layout>
  )
}

interface RefusedProps {
  basePath: string
  baseUrl: string
  reason: string
  /** The address that the browser says it used. */
  used: string
}

/** Most often the instance is reached by another address than the one it knows, so the page shows both. */
export function FormRefusedPage({ basePath, baseUrl, reason, used }: RefusedProps) {
  return (
    <Layout title="The form was not accepted – Paxlog" basePath={basePath} narrow>
      <div class="card message">
        <p class="eyebrow">403</p>
        <h1>The form was not accepted</h1>
        <p>{reason} Nothing was changed.</p>
        <p>Go back, load the page again and send the form once more. If that does not help, compare:</p>
        <Pairs
          class="facts"
          pairs={[
            ['This instance is set up for', <code key="known">{baseUrl}</code>],
            ['Your browser used', <code key="used">{used}</code>],
          ]}
        />
        <p>
          They must belong together: open the first address, or set <code>BASE_URL</code> to the address you use. The
          browser must also accept cookies.
        </p>
        <WayHome basePath={basePath} />
      </div>
    </Layout>
  )
}
