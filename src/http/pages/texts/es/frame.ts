import type { frame as source } from '../en/frame.ts'
import type { Translation } from '../message.ts'

export const frame: Translation<typeof source> = {
  title: '{title} – Paxlog',
  titleWithErrors: 'Error: {title}',
  skipToContent: 'Ir al contenido',
  undo: 'Deshacer',
  startPage: 'Ir a la página de inicio',
  appName: 'Paxlog – registro de vuelos',
}
