import type { FastifyReply } from 'fastify'
import type { ComponentChildren, JSX } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { assets, grounds } from './assets.ts'
import type { Viewer } from './context.ts'
import type { FieldErrors } from './forms.ts'
import { LocalizationContext, localizationOf, useLocalization } from './localization.ts'
import { AccountMenu, GroupNavigation, MainNavigation, type Place } from './navigation.tsx'

interface LayoutProps {
  /** Without the name of the program. */
  title: string
  /** The path of BASE_URL. */
  basePath: string
  /** Announced in the title, which screen readers read first. */
  fieldErrors?: FieldErrors | undefined
  viewer?: Viewer
  place?: Place
  /** The page is a child of its place, such as a form. */
  below?: boolean
  notice?: string | undefined
  scripts?: readonly { path: string }[]
  narrow?: boolean
  wide?: boolean
  /** Links the web app manifest, which the CSP of the page must allow. */
  installable?: boolean
  meta?: ComponentChildren
  children: ComponentChildren
}

const Mark = () => (
  <svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
    <path d="M21.6 2.4c-.9-.9-2.7-.5-3.8.6l-3.5 3.5L4.5 4 2.6 5.9l7.9 4.4-3.6 3.6-2.9-.4L2.4 15l3.9 2.2.5.5L9 21.6l1.5-1.6-.4-2.9 3.6-3.6 4.4 7.9 1.9-1.9-2.5-9.8L21 6.2c1.1-1.1 1.5-2.9.6-3.8Z" />
  </svg>
)

const Installing = ({ basePath }: Pick<LayoutProps, 'basePath'>) => (
  <>
    <link rel="manifest" href={`${basePath}/manifest.webmanifest`} />
    <link rel="apple-touch-icon" href={basePath + assets.smallIcon.path} />
    {Object.entries(grounds).map(([scheme, colour]) => (
      <meta key={scheme} name="theme-color" media={`(prefers-color-scheme: ${scheme})`} content={colour} />
    ))}
  </>
)

/** Pages work without scripts and load nothing from other hosts. */
export function Layout({ title, fieldErrors = {}, notice, scripts = [], meta, children, ...props }: LayoutProps) {
  const { basePath, viewer, place, below, narrow, wide, installable } = props
  const navigation = viewer && { basePath, viewer, place, below }
  const { language, texts } = useLocalization()
  const fullTitle = title.endsWith('Paxlog') ? title : texts.frame.title({ title })
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>
          {Object.keys(fieldErrors).length > 0 ? texts.frame.titleWithErrors({ title: fullTitle }) : fullTitle}
        </title>
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
          {texts.frame.skipToContent}
        </a>
        <header class="top">
          <a class="brand" href={basePath || '/'}>
            <Mark />
            Paxlog
          </a>
          {navigation && (
            <>
              <MainNavigation {...navigation} />
              <AccountMenu {...navigation} />
            </>
          )}
        </header>
        <main id="content" tabIndex={-1} class={narrow ? 'narrow' : wide ? 'wide' : undefined}>
          {navigation && <GroupNavigation {...navigation} />}
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

export function sendPage(reply: FastifyReply, status: number, page: JSX.Element): FastifyReply {
  const localized = <LocalizationContext value={localizationOf(reply.request)}>{page}</LocalizationContext>
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>${renderToString(localized)}`)
}
