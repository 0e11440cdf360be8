import type { exportFlights as source } from '../en/export.ts'
import { plural, type Translation } from '../message.ts'

export const exportFlights: Translation<typeof source> = {
  title: 'Exportar vuelos',
  flights: 'Vuelos',
  contents: plural({ one: 'El archivo contendrá {count} vuelo.', other: 'El archivo contendrá {count} vuelos.' }),
  titles: { json: 'JSON', csv: 'CSV', kml: 'KML', geojson: 'GeoJSON', ics: 'Calendario (ICS)' },
  descriptions: {
    json: 'Todo, incluidas personas, trayectorias y campos personalizados. Puedes importarlo en cualquier instancia de Paxlog.',
    csv: 'Para hojas de cálculo: una fila por vuelo, con horas locales.',
    kml: 'Para Google Earth: rutas y, si las hay, trayectorias.',
    geojson: 'Para mapas y programas SIG: círculos máximos y trayectorias.',
    ics: 'Para calendarios: un evento por vuelo. Si quieres un calendario que se actualice automáticamente, ve a Configuración, Calendario.',
  },
  download: 'Descargar<unseen> como {title}</unseen>',
}
