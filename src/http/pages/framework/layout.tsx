import type { FastifyReply } from 'fastify'
import type { ComponentChildren, JSX } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { assets } from './assets.ts'
import type { Viewer } from './context.ts'
import type { Faults } from './forms.ts'
import { grounds } from './manifest.ts'
import { AccountMenu, GroupNavigation, MainNavigation, type Place } from './navigation.tsx'

interface LayoutProps {
  title: string
  /** The path part of BASE_URL, before every link. */
  basePath: string
  /** Whoever hears the title first hears that something is wrong. */
  faults?: Faults | undefined
  /** Search engines are asked to stay away unless a page says otherwise. */
  indexed?: boolean
  viewer?: Viewer
  place?: Place
  /** The page belongs to its place without being it: a form, or one thing of a list. */
  below?: boolean
  /** What the form before this page has done. */
  notice?: string | undefined
  /** Beside the one that every page has. */
  scripts?: readonly { path: string }[]
  /** One column in the middle: forms and messages. */
  narrow?: boolean
  /** As wide as the window. */
  wide?: boolean
  /** Phones may keep it like a program; its policy has to let them ask how. */
  installable?: boolean
  /** More about the page for whoever links to it. */
  meta?: ComponentChildren
  children: ComponentChildren
}

function Mark() {
  return (
    <svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
      <path d="M21.6 2.4c-.9-.9-2.7-.5-3.8.6l-3.5 3.5L4.5 4 2.6 5.9l7.9 4.4-3.6 3.6-2.9-.4L2.4 15l3.9 2.2.5.5L9 21.6l1.5-1.6-.4-2.9 3.6-3.6 4.4 7.9 1.9-1.9-2.5-9.8L21 6.2c1.1-1.1 1.5-2.9.6-3.8Z" />
    </svg>
  )
}

const Installing = ({ basePath }: Pick<LayoutProps, 'basePath'>) => (
  <>
    <link rel="manifest" href={`${basePath}/manifest.webmanifest`} />
    <link rel="apple-touch-icon" href={basePath + assets.smallIcon.path} />
    {Object.entries(grounds).map(([scheme, colour]) => (
      <meta key={scheme} name="theme-color" media={`(prefers-color-scheme: ${scheme})`} content={colour} />
    ))}
  </>
)

function Header({ basePath, viewer, ...here }: Pick<LayoutProps, 'basePath' | 'viewer' | 'place' | 'below'>) {
  return (
    <header class="top">
      <a class="brand" href={basePath || '/'}>
        <Mark />
        Paxlog
      </a>
      {viewer && (
        <>
          <MainNavigation basePath={basePath} viewer={viewer} {...here} />
          <AccountMenu basePath={basePath} viewer={viewer} {...here} />
        </>
      )}
    </header>
  )
}

/** The frame of every page: works without scripts and loads nothing from elsewhere. */
export function Layout(props: LayoutProps) {
  const {
    title,
    faults = {},
    basePath,
    indexed = false,
    viewer,
    place,
    below,
    notice,
    scripts = [],
    narrow,
    wide,
    installable,
    meta,
    children,
  } = props
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        {!indexed && <meta name="robots" content="noindex" />}
        <title>{Object.keys(faults).length > 0 ? `Error: ${title}` : title}</title>
        {meta}
        {installable && <Installing basePath={basePath} />}
        <link rel="icon" type="image/svg+xml" href={basePath + assets.icon.path} />
        <link rel="stylesheet" href={basePath + assets.style.path} />
        {[assets.script, ...scripts].map(({ path }) => (
          <script key={path} type="module" src={basePath + path} />
        ))}
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <Header basePath={basePath} viewer={viewer} place={place} below={below} />
        <main id="content" tabIndex={-1} class={narrow ? 'narrow' : wide ? 'wide' : undefined}>
          {viewer && <GroupNavigation basePath={basePath} viewer={viewer} place={place} below={below} />}
          {notice && (
            <p class="notice" role="status">
              {notice}
            </p>
          )}
          {children}
        </main>
      </body>
    </html>
  )
}

export const toHtml = (page: JSX.Element) => `<!doctype html>${renderToString(page)}`

export const sendHtml = (reply: FastifyReply, status: number, html: string | Buffer) =>
  reply.code(status).type('text/html; charset=utf-8').send(html)

export const sendPage = (reply: FastifyReply, status: number, page: JSX.Element) =>
  sendHtml(reply, status, toHtml(page))
