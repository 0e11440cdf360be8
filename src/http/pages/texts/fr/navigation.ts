import type { navigation as source } from '../en/navigation.ts'
import type { Translation } from '../message.ts'

export const navigation: Translation<typeof source> = {
  groups: { main: 'Principale', settings: 'Paramètres', administration: 'Administration', menu: 'Compte' },
  places: {
    home: 'Vols',
    map: 'Carte',
    trips: 'Voyages',
    statistics: 'Statistiques',
    countries: 'Pays',
    preferences: 'Préférences',
    shares: 'Partages',
    calendar: 'Calendrier',
    deletedFlights: 'Vols supprimés',
    security: 'Sécurité',
    ownActivity: 'Activité',
    users: 'Utilisateurs',
    roles: 'Rôles',
    customFields: 'Champs personnalisés',
    reference: 'Données de référence',
    activity: 'Activité',
    docs: 'API',
  },
  addFlight: 'Ajouter un vol',
  accountOf: '<unseen>Compte\u00a0: </unseen><shown>{name}</shown>',
  signedInAs: 'Compte\u00a0: <name>{username}</name>',
  shortcuts: 'Raccourcis clavier',
  signOut: 'Se déconnecter',
}
