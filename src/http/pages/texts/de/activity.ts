import type { activity as source } from '../en/activity.ts'
import type { Translation } from '../message.ts'

export const activity: Translation<typeof source> = {
  title: 'Aktivität',
  hint: 'Wer was getan hat, Neuestes zuerst. Einträge werden 400 Tage aufbewahrt.',
  person: 'Benutzername',
  kind: 'Art',
  allKinds: 'Alle',
  apply: 'Anwenden',
  unknownUser: 'Es gibt keinen Benutzer „{person}“.',
  noMatch: 'Keine passenden Einträge.',
  ownHint:
    'Ihre Anmeldungen, Schlüssel und Anwendungen sowie alle Änderungen an Ihren Flügen, Neuestes zuerst. Einträge werden 400 Tage aufbewahrt.',
  noEntries: 'Noch keine Einträge.',
  what: 'Was',
  when: 'Wann',
  how: 'Wie',
  surfaces: { v1: 'API', legacy: 'Legacy-API', mcp: 'MCP', page: 'Browser', cli: 'Konsole' },
  moreEntries: 'Weitere Einträge',
  newest: 'Neueste Einträge',
  older: 'Ältere Einträge',
}
