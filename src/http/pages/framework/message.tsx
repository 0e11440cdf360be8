import type { ComponentChildren } from 'preact'
import { Layout } from './layout.tsx'

interface Props {
  basePath: string
  title: string
  heading?: string
  /** The status or the code of what went wrong. */
  code?: string | number
  /** Nobody is left at a page that leads nowhere: to the start page, unless it says otherwise. */
  way?: { href: string; text: string; rel?: string } | undefined
  children: ComponentChildren
}

/** A page that only tells something. */
export function MessagePage({ basePath, title, heading = title, code, way, children }: Props) {
  const { text, ...link } = way ?? { href: basePath || '/', text: 'Go to the start page' }
  return (
    <Layout title={`${title} – Paxlog`} basePath={basePath} narrow>
      <div class="card message">
        {code !== undefined && <p class="eyebrow">{code}</p>}
        <h1>{heading}</h1>
        {children}
        <p class="actions">
          <a class="button" {...link}>
            {text}
          </a>
        </p>
      </div>
    </Layout>
  )
}
