import type { exportFlights as source } from '../en/export.ts'
import { plural, type Translation } from '../message.ts'

export const exportFlights: Translation<typeof source> = {
  title: 'Esporta voli',
  flights: 'Voli',
  contents: plural({ one: 'Il file conterrà {count} volo.', other: 'Il file conterrà {count} voli.' }),
  titles: { json: 'JSON', csv: 'CSV', kml: 'KML', geojson: 'GeoJSON', ics: 'Calendario (ICS)' },
  descriptions: {
    json: 'Tutti i dati, compresi persone, tracce e campi personalizzati. Puoi importarli in qualsiasi istanza di Paxlog.',
    csv: 'Per fogli di calcolo: una riga per volo, con orari locali.',
    kml: 'Per Google Earth: rotte e, se disponibili, tracce.',
    geojson: 'Per mappe e programmi GIS: ortodromie e tracce.',
    ics: 'Per calendari: un evento per volo. Per un calendario che si aggiorna da solo, vedi Impostazioni, Calendario.',
  },
  download: 'Scarica<unseen> come {title}</unseen>',
}
