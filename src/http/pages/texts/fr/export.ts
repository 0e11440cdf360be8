import type { exportFlights as source } from '../en/export.ts'
import { plural, type Translation } from '../message.ts'

export const exportFlights: Translation<typeof source> = {
  title: 'Exporter les vols',
  flights: 'Vols',
  contents: plural({ one: 'Le fichier contiendra {count} vol.', other: 'Le fichier contiendra {count} vols.' }),
  titles: { json: 'JSON', csv: 'CSV', kml: 'KML', geojson: 'GeoJSON', ics: 'Calendrier (ICS)' },
  descriptions: {
    json: 'Tout, y compris les personnes, les traces et les champs personnalisés. Vous pouvez l’importer dans n’importe quelle instance de Paxlog.',
    csv: 'Pour les tableurs\u00a0: une ligne par vol, en heure locale.',
    kml: 'Pour Google Earth\u00a0: liaisons, et traces si elles existent.',
    geojson: 'Pour les cartes et les SIG\u00a0: grands cercles et traces.',
    ics: 'Pour les calendriers\u00a0: un événement par vol. Pour un calendrier qui se met à jour tout seul, voir Paramètres, Calendrier.',
  },
  download: 'Télécharger<unseen> au format {title}</unseen>',
}
