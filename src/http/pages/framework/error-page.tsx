import { Pairs } from '../components/lists.tsx'
import { MessagePage } from './message.tsx'

interface ErrorProps {
  basePath: string
  status: number
  title: string
  text: string
}

export function ErrorPage({ basePath, status, title, text }: ErrorProps) {
  return (
    <MessagePage basePath={basePath} title={title} code={status}>
      <p>{text}</p>
    </MessagePage>
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
    <MessagePage basePath={basePath} title="The form was not accepted" code={403}>
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
    </MessagePage>
  )
}
