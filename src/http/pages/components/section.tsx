import type { ComponentChildren } from 'preact'
import { useTexts } from '../framework/localization.ts'

interface SectionProps {
  id: string
  title: ComponentChildren
  /** The language of the title, if it differs. */
  lang?: string | undefined
  /** Hides the title visually. */
  untitled?: boolean
  children: ComponentChildren
}

export const Section = ({ id, title, lang, untitled, children }: SectionProps) => (
  <section aria-labelledby={id}>
    <h2 id={id} lang={lang} class={untitled ? 'unseen' : undefined}>
      {title}
    </h2>
    {children}
  </section>
)

export const NoFlights = ({ basePath }: { basePath: string }) => (
  <p class="card empty">{useTexts().flightList.noFlights({ link: (text) => <a href={basePath || '/'}>{text}</a> })}</p>
)

export const Crumb = ({ href, children }: { href: string; children: ComponentChildren }) => (
  <p class="crumb">
    <a href={href}>{children}</a>
  </p>
)
