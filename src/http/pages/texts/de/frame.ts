import type { frame as source } from '../en/frame.ts'
import type { Translation } from '../message.ts'

/** Around every page. */
export const frame: Translation<typeof source> = {
  title: '{title} – Paxlog',
  titleWithErrors: 'Fehler: {title}',
  skipToContent: 'Zum Inhalt springen',
  undo: 'Rückgängig',
  startPage: 'Zur Startseite',
  appName: 'Paxlog – Flugbuch',
}
