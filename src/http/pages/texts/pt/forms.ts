import type { forms as source } from '../en/forms.ts'
import type { Translation } from '../message.ts'

/** Parts of forms and lists. */
export const forms: Translation<typeof source> = {
  fixFollowing: 'Corrija o seguinte:',
  notPossible: 'Não é possível',
  fieldError: '{label}: {message}',

  matches: '{label}: resultados',
  addNew: {
    airport: 'Adicionar como novo aeroporto',
    airline: 'Adicionar como nova companhia aérea',
    aircraft: 'Adicionar como novo tipo de aeronave',
  },

  newPassword: 'Nova senha',
  passwordHint: 'No mínimo 8 caracteres.',

  yes: 'Sim',
  no: 'Não',
  copy: 'Copiar',
  copyThis: 'Copiar<unseen> {what}</unseen>',

  pages: 'Páginas',
  pageOf: 'Página {page} de {pages}',
  page: 'Página {page}',
  previous: 'Anterior',
  next: 'Próxima',
}
