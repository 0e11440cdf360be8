import type { activity as source } from '../en/activity.ts'
import type { Translation } from '../message.ts'

export const activity: Translation<typeof source> = {
  title: 'Actividad',
  hint: 'Quién hizo qué, lo más reciente primero. Las entradas se conservan 400 días.',
  person: 'Nombre de usuario',
  kind: 'Tipo',
  allKinds: 'Todos',
  apply: 'Aplicar',
  unknownUser: 'No existe ningún usuario «{person}».',
  noMatch: 'Ninguna entrada coincide.',
  ownHint:
    'Tus inicios de sesión, claves y aplicaciones, y todos los cambios en tus vuelos, lo más reciente primero. Las entradas se conservan 400 días.',
  noEntries: 'Aún no hay entradas.',
  what: 'Acción',
  when: 'Fecha',
  how: 'Vía',
  surfaces: { v1: 'API', legacy: 'API heredada', mcp: 'MCP', page: 'Navegador', cli: 'Línea de comandos' },
  moreEntries: 'Más entradas',
  newest: 'Entradas más recientes',
  older: 'Entradas anteriores',
}
