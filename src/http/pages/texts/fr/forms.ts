import type { forms as source } from '../en/forms.ts'
import type { Translation } from '../message.ts'

/** Parts of forms and lists. */
export const forms: Translation<typeof source> = {
  fixFollowing: 'Corrigez les points suivants\u00a0:',
  notPossible: 'Impossible',
  fieldError: '{label}\u00a0: {message}',

  matches: '{label}\u00a0: résultats',
  addNew: {
    airport: 'Ajouter comme nouvel aéroport',
    airline: 'Ajouter comme nouvelle compagnie',
    aircraft: 'Ajouter comme nouveau type d’avion',
  },

  newPassword: 'Nouveau mot de passe',
  passwordHint: 'Au moins 8 caractères.',

  yes: 'Oui',
  no: 'Non',
  copy: 'Copier',
  copyThis: 'Copier<unseen> {what}</unseen>',

  pages: 'Pages',
  pageOf: 'Page {page} sur {pages}',
  page: 'Page {page}',
  previous: 'Précédent',
  next: 'Suivant',
}
