import type { ComponentChildren } from 'preact'

interface SectionProps {
  id: string
  title: ComponentChildren
  /** Whether the title is only read out. */
  untitled?: boolean
  children: ComponentChildren
}

/** A part of a page under its heading, by which it is known to whoever does not see it. */
export function Section({ id, title, untitled, children }: SectionProps) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id} class={untitled ? 'unseen' : undefined}>
        {title}
      </h2>
      {children}
    </section>
  )
}

/** Where there is nothing to show of an empty log. */
export const NoFlights = ({ basePath }: { basePath: string }) => (
  <p class="card empty">
    No flights yet. <a href={basePath || '/'}>Your log</a> has ways to bring some here.
  </p>
)

/** The way back to the list that a page belongs to. */
export function Crumb({ href, children }: { href: string; children: ComponentChildren }) {
  return (
    <p class="crumb">
      <a href={href}>{children}</a>
    </p>
  )
}
