import type { home as source } from '../en/home.ts'
import { plural, type Translation } from '../message.ts'

export const home: Translation<typeof source> = {
  title: 'Flüge',
  titleOfPage: 'Flüge, Seite {page}',
  nextFlight: 'Nächster Flug',
  cities: '{from} – {to}',
  noAccess: 'Mit Ihrer Rolle können Sie keine Flüge ansehen. Bitten Sie einen Administrator, das zu ändern.',
  map: 'Karte',
  yourFlights: 'Ihre Flüge',
  mostFlown: 'Meistgeflogen',
  airport: 'Flughafen',
  route: 'Route',
  airline: 'Airline',
  aircraft: 'Flugzeug',
  times: plural({ one: '{count}-mal', other: '{count}-mal' }),
  noFlights: 'Noch keine Flüge. Fügen Sie einen hinzu und sehen Sie Ihre Karte wachsen.',
  addFlight: 'Flug hinzufügen',
  addFirst: 'Ersten Flug hinzufügen',
  importHint: 'Sie wechseln von einem anderen Dienst? <link>Datei importieren</link>.',
  import: 'Importieren',
  useApiHint: 'Programme können Flüge mit <link>Ihrem eigenen API-Schlüssel</link> hinzufügen.',
}
