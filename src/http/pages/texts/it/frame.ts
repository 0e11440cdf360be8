import type { frame as source } from '../en/frame.ts'
import type { Translation } from '../message.ts'

export const frame: Translation<typeof source> = {
  title: '{title} – Paxlog',
  titleWithErrors: 'Errore: {title}',
  skipToContent: 'Vai al contenuto',
  undo: 'Annulla',
  startPage: 'Vai alla pagina iniziale',
  appName: 'Paxlog – diario di volo',
}
