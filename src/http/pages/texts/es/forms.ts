import type { forms as source } from '../en/forms.ts'
import type { Translation } from '../message.ts'

export const forms: Translation<typeof source> = {
  fixFollowing: 'Corrige lo siguiente:',
  notPossible: 'No es posible',
  fieldError: '{label}: {message}',

  matches: '{label}: coincidencias',
  addNew: {
    airport: 'Añadir como nuevo aeropuerto',
    airline: 'Añadir como nueva aerolínea',
    aircraft: 'Añadir como nuevo tipo de avión',
  },

  newPassword: 'Nueva contraseña',
  passwordHint: '8 caracteres como mínimo.',

  yes: 'Sí',
  no: 'No',
  copy: 'Copiar',
  copyThis: 'Copiar<unseen> {what}</unseen>',

  pages: 'Páginas',
  pageOf: 'Página {page} de {pages}',
  page: 'Página {page}',
  previous: 'Anterior',
  next: 'Siguiente',
}
