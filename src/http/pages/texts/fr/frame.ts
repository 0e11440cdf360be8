import type { frame as source } from '../en/frame.ts'
import type { Translation } from '../message.ts'

/** Around every page. */
export const frame: Translation<typeof source> = {
  title: '{title} – Paxlog',
  titleWithErrors: 'Erreur\u00a0: {title}',
  skipToContent: 'Aller au contenu',
  undo: 'Annuler',
  startPage: 'Aller à l’accueil',
  appName: 'Paxlog – carnet de vol',
}
