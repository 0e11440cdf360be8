import type { FastifyReply } from 'fastify'
import type { ComponentChildren, JSX } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { ButtonForm } from '../components/forms.tsx'
import { assets, grounds } from './assets.ts'
import { MARK_PATH } from './brand.ts'
import type { Viewer } from './context.ts'
import type { FieldErrors } from './forms.ts'
import { AddressContext, addressOf, LanguageFooter } from './language-switch.tsx'
import { LocalizationContext, localizationOf, useLocalization, useTexts } from './localization.ts'
import { AccountMenu, GroupNavigation, MainNavigation, type Place } from './navigation.tsx'
import type { Notice } from './notices.ts'

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
  notice?: Notice | undefined
  scripts?: readonly { path: string }[]
  /** The page to return to after the language is switched; the requested one by default. */
  address?: string
  narrow?: boolean
  wide?: boolean
  /** Links the web app manifest, which the CSP of the page must allow. */
  installable?: boolean
  meta?: ComponentChildren
  children: ComponentChildren
}

const Mark = () => (
  <svg class="mark" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
    <path d={MARK_PATH} />
  </svg>
)

type Theme = Viewer['theme']

const schemesOf = (theme: Theme) => (theme === 'auto' ? (['light', 'dark'] as const) : [theme])

const Installing = ({ basePath, theme }: Pick<LayoutProps, 'basePath'> & { theme: Theme }) => (
  <>
    <link rel="manifest" href={`${basePath}/manifest.webmanifest`} />
    <link rel="apple-touch-icon" href={basePath + assets.smallIcon.path} />
    {schemesOf(theme).map((scheme) => (
      <meta
        key={scheme}
        name="theme-color"
        media={theme === 'auto' ? `(prefers-color-scheme: ${scheme})` : undefined}
        content={grounds[scheme]}
      />
    ))}
  </>
)

function NoticeLine({ notice, basePath, csrf }: { notice: Notice; basePath: string; csrf: string | undefined }) {
  const { text, undo, isWarning } = notice
  const line = (
    <p class={isWarning ? 'warning' : 'notice'} role="status">
      {text}
    </p>
  )
  if (!undo || !csrf) return line
  return (
    <div class="undoable">
      {line}
      <ButtonForm action={basePath + undo} csrf={csrf}>
        {useTexts().frame.undo}
      </ButtonForm>
    </div>
  )
}

/** Pages work without scripts and load nothing from other hosts. */
export function Layout({ title, fieldErrors = {}, notice, scripts = [], meta, children, ...props }: LayoutProps) {
  const { basePath, viewer, place, below, narrow, wide, installable } = props
  const navigation = viewer && { basePath, viewer, place, below }
  const { language, texts } = useLocalization()
  // Without an account, the theme of the system.
  const theme = viewer?.theme ?? 'auto'
  const fullTitle = title.endsWith('Paxlog') ? title : texts.frame.title({ title })
  return (
    <html lang={language} data-theme={theme === 'auto' ? undefined : theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content={schemesOf(theme).join(' ')} />
        <meta name="robots" content="noindex" />
        <title>
          {Object.keys(fieldErrors).length > 0 ? texts.frame.titleWithErrors({ title: fullTitle }) : fullTitle}
        </title>
        {meta}
        {installable && <Installing basePath={basePath} theme={theme} />}
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
          {navigation && <p class="notice offline">{texts.offline.storedCopy}</p>}
          {notice && <NoticeLine notice={notice} basePath={basePath} csrf={viewer?.csrf} />}
          {children}
        </main>
        {!viewer && <LanguageFooter basePath={basePath} page={props.address} />}
      </body>
    </html>
  )
}

export function sendPage(reply: FastifyReply, status: number, page: JSX.Element): FastifyReply {
  const localized = (
    <LocalizationContext value={localizationOf(reply.request)}>
      <AddressContext value={addressOf(reply.request, status)}>{page}</AddressContext>
    </LocalizationContext>
  )
  return reply
    .code(status)
    .type('text/html; charset=utf-8')
    .send(`<!doctype html>${renderToString(localized)}`)
}
