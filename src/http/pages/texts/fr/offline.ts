import type { offline as source } from '../en/offline.ts'
import type { Translation } from '../message.ts'

/** Reading without a connection. */
export const offline: Translation<typeof source> = {
  storedCopy: 'Vous êtes hors ligne. Vous consultez une copie enregistrée\u202f; les modifications sont impossibles.',
  title: 'Vous êtes hors ligne',
  notStored: 'Cette page n’est pas disponible hors ligne sur cet appareil. Connectez-vous à Internet pour l’ouvrir.',
  home: 'Afficher vos vols hors ligne',
  again: 'Réessayer',
  setting: 'Hors ligne sur cet appareil',
  settingHint:
    'Stocke vos totaux et vos 50 derniers vols dans ce navigateur, pour les lire sans connexion. Quand vous vous déconnectez, ils sont supprimés et cette option est désactivée.',
  needs: 'Nécessite JavaScript et, sauf sur localhost, https.',
}
