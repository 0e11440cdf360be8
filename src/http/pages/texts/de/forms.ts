import type { forms as source } from '../en/forms.ts'
import type { Translation } from '../message.ts'

/** Parts of forms and lists. */
export const forms: Translation<typeof source> = {
  fixFollowing: 'Korrigieren Sie Folgendes:',
  notPossible: 'Nicht möglich',
  fieldError: '{label}: {message}',

  matches: '{label}: Treffer',
  addNew: {
    airport: 'Als neuen Flughafen hinzufügen',
    airline: 'Als neue Airline hinzufügen',
    aircraft: 'Als neuen Flugzeugtyp hinzufügen',
  },

  newPassword: 'Neues Passwort',
  passwordHint: 'Mindestens 8 Zeichen.',

  yes: 'Ja',
  no: 'Nein',
  copy: 'Kopieren',
  copyThis: 'Kopieren<unseen>: {what}</unseen>',

  pages: 'Seiten',
  pageOf: 'Seite {page} von {pages}',
  page: 'Seite {page}',
  previous: 'Zurück',
  next: 'Weiter',
}
