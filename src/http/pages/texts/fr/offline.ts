import type { offline as source } from '../en/offline.ts'
import type { Translation } from '../message.ts'

/** Reading without a connection. */
export const offline: Translation<typeof source> = {
  storedCopy: 'Vous êtes hors ligne. Vous pouvez lire cette copie, mais rien modifier.',
  title: 'Vous êtes hors ligne',
  notStored: 'Cette page n’est pas stockée sur cet appareil. Connectez-vous à Internet pour l’ouvrir.',
  home: 'Afficher vos vols stockés',
  again: 'Réessayer',
  setting: 'Hors ligne sur cet appareil',
  settingHint:
    'Vos totaux et vos 50 derniers vols sont stockés dans ce navigateur pour être lus sans connexion. La déconnexion de votre compte les supprime et désactive cette option.',
  needs: 'Nécessite JavaScript, et https sur une adresse publique.',
}
