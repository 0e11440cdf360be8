import type { navigation as source } from '../en/navigation.ts'
import type { Translation } from '../message.ts'

export const navigation: Translation<typeof source> = {
  groups: { main: 'Principale', settings: 'Impostazioni', administration: 'Amministrazione', menu: 'Account' },
  places: {
    home: 'Voli',
    map: 'Mappa',
    trips: 'Viaggi',
    statistics: 'Statistiche',
    countries: 'Paesi',
    preferences: 'Preferenze',
    shares: 'Condivisioni',
    calendar: 'Calendario',
    deletedFlights: 'Eliminati di recente',
    security: 'Sicurezza',
    ownActivity: 'Attività',
    users: 'Utenti',
    roles: 'Ruoli',
    customFields: 'Campi personalizzati',
    reference: 'Dati di riferimento',
    activity: 'Attività',
    docs: 'API',
  },
  addFlight: 'Aggiungi volo',
  accountOf: '<unseen>Account di </unseen><shown>{name}</shown>',
  signedInAs: 'Accesso effettuato come <name>{username}</name>',
  shortcuts: 'Scorciatoie da tastiera',
  signOut: 'Esci',
}
