import type { ComponentChildren, JSX } from 'preact'
import { renderToString } from 'preact-render-to-string'

interface LayoutProps {
  title: string
  /** The path part of BASE_URL, before every link. */
  basePath: string
  /** Search engines are asked to stay away unless a page says otherwise. */
  indexed?: boolean
  children: ComponentChildren
}

/** The frame of every page: works without scripts and loads nothing from elsewhere. */
export function Layout({ title, basePath, indexed = false, children }: LayoutProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {!indexed && <meta name="robots" content="noindex" />}
        <title>{title}</title>
        <link rel="stylesheet" href={`${basePath}/assets/style.css`} />
      </head>
      <body>
        <main>{children}</main>
      </body>
    </html>
  )
}

export const toHtml = (page: JSX.Element) => `<!doctype html>${renderToString(page)}`
