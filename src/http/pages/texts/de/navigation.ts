import type { navigation as source } from '../en/navigation.ts'
import type { Translation } from '../message.ts'

export const navigation: Translation<typeof source> = {
  groups: { main: 'Hauptmenü', settings: 'Einstellungen', administration: 'Verwaltung', menu: 'Konto' },
  places: {
    home: 'Flüge',
    map: 'Karte',
    trips: 'Reisen',
    statistics: 'Statistik',
    countries: 'Länder',
    preferences: 'Allgemein',
    shares: 'Freigaben',
    calendar: 'Kalender',
    deletedFlights: 'Zuletzt gelöscht',
    security: 'Sicherheit',
    ownActivity: 'Aktivität',
    users: 'Benutzer',
    roles: 'Rollen',
    customFields: 'Eigene Felder',
    reference: 'Stammdaten',
    activity: 'Aktivität',
    docs: 'API',
  },
  addFlight: 'Flug hinzufügen',
  accountOf: '<unseen>Konto von </unseen><shown>{name}</shown>',
  signedInAs: 'Angemeldet als <name>{username}</name>',
  shortcuts: 'Tastenkürzel',
  signOut: 'Abmelden',
}
