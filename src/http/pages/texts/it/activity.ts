import type { activity as source } from '../en/activity.ts'
import type { Translation } from '../message.ts'

export const activity: Translation<typeof source> = {
  title: 'Attività',
  hint: 'Chi ha fatto cosa, a partire dalle voci più recenti. Le voci vengono conservate per 400 giorni.',
  person: 'Nome utente',
  kind: 'Tipo',
  allKinds: 'Tutti',
  apply: 'Applica',
  unknownUser: "L'utente “{person}” non esiste.",
  noMatch: 'Nessuna voce trovata.',
  ownHint:
    'I tuoi accessi, le tue chiavi e applicazioni e tutte le modifiche ai tuoi voli, a partire dalle voci più recenti. Le voci vengono conservate per 400 giorni.',
  noEntries: 'Ancora nessuna voce.',
  what: 'Cosa',
  when: 'Quando',
  how: 'Come',
  surfaces: { v1: 'API', legacy: 'API legacy', mcp: 'MCP', page: 'Browser', cli: 'Riga di comando' },
  moreEntries: 'Altre voci',
  newest: 'Più recenti',
  older: 'Meno recenti',
}
