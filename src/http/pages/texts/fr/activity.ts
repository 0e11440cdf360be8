import type { activity as source } from '../en/activity.ts'
import type { Translation } from '../message.ts'

export const activity: Translation<typeof source> = {
  title: 'Activité',
  hint: 'Qui a fait quoi, du plus récent au plus ancien. Les entrées sont conservées 400 jours.',
  person: 'Nom d’utilisateur',
  kind: 'Type',
  allKinds: 'Tous',
  apply: 'Appliquer',
  unknownUser: 'L’utilisateur «\u00a0{person}\u00a0» n’existe pas.',
  noMatch: 'Aucune entrée ne correspond.',
  ownHint:
    'Vos connexions, vos clés et vos applications, ainsi que toutes les modifications de vos vols, de la plus récente à la plus ancienne. Les entrées sont conservées 400 jours.',
  noEntries: 'Aucune entrée pour le moment.',
  what: 'Action',
  when: 'Date',
  how: 'Accès',
  surfaces: { v1: 'API', legacy: 'Ancienne API', mcp: 'MCP', page: 'Navigateur', cli: 'Ligne de commande' },
  moreEntries: 'Autres entrées',
  newest: 'Les plus récentes',
  older: 'Plus anciennes',
}
