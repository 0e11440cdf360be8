import type { ComponentChildren } from 'preact'
import { Layout } from './layout.tsx'
import { useTexts } from './localization.ts'

interface Props {
  basePath: string
  title: string
  heading?: string
  code?: string | number
  /** Where to go next; the start page by default. */
  way?: { href: string; text: string; rel?: string } | undefined
  children: ComponentChildren
}

/** Errors do not repeat the requested address, which can contain secrets. */
export function MessagePage({ basePath, title, heading = title, code, way, children }: Props) {
  const { startPage } = useTexts().frame
  const { text, ...link } = way ?? { href: basePath || '/', text: startPage }
  return (
    <Layout title={title} basePath={basePath} narrow {...(code !== undefined && { address: `${basePath}/` })}>
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
