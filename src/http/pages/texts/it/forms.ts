import type { forms as source } from '../en/forms.ts'
import type { Translation } from '../message.ts'

export const forms: Translation<typeof source> = {
  fixFollowing: 'Correggi questi errori:',
  notPossible: 'Operazione non possibile',
  fieldError: '{label}: {message}',

  matches: '{label}: risultati',
  addNew: {
    airport: 'Aggiungi come nuovo aeroporto',
    airline: 'Aggiungi come nuova compagnia aerea',
    aircraft: 'Aggiungi come nuovo tipo di aereo',
  },

  newPassword: 'Nuova password',
  passwordHint: 'Almeno 8 caratteri.',

  yes: 'Sì',
  no: 'No',
  copy: 'Copia',
  copyThis: 'Copia<unseen> {what}</unseen>',

  pages: 'Pagine',
  pageOf: 'Pagina {page} di {pages}',
  page: 'Pagina {page}',
  previous: 'Precedente',
  next: 'Successiva',
}
