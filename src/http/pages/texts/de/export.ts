import type { exportFlights as source } from '../en/export.ts'
import { plural, type Translation } from '../message.ts'

export const exportFlights: Translation<typeof source> = {
  title: 'Flüge exportieren',
  flights: 'Flüge',
  contents: plural({ one: 'Die Datei enthält {count} Flug.', other: 'Die Datei enthält {count} Flüge.' }),
  titles: { json: 'JSON', csv: 'CSV', kml: 'KML', geojson: 'GeoJSON', ics: 'Kalender (ICS)' },
  descriptions: {
    json: 'Alles, auch Personen, Tracks und eigene Felder. Lässt sich in jede Paxlog-Instanz importieren.',
    csv: 'Für Tabellenprogramme: eine Zeile pro Flug, mit Ortszeiten.',
    kml: 'Für Google Earth: Routen, und Tracks, falls vorhanden.',
    geojson: 'Für Karten und GIS-Programme: Großkreise und Tracks.',
    ics: 'Für Kalender: ein Termin pro Flug. Einen Kalender, der sich selbst aktualisiert, gibt es unter Einstellungen, Kalender.',
  },
  download: 'Herunterladen<unseen> als {title}</unseen>',
}
