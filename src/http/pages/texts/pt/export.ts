import type { exportFlights as source } from '../en/export.ts'
import { plural, type Translation } from '../message.ts'

export const exportFlights: Translation<typeof source> = {
  title: 'Exportar voos',
  flights: 'Voos',
  contents: plural({ one: 'O arquivo terá {count} voo.', other: 'O arquivo terá {count} voos.' }),
  titles: { json: 'JSON', csv: 'CSV', kml: 'KML', geojson: 'GeoJSON', ics: 'Calendário (ICS)' },
  descriptions: {
    json: 'Tudo, inclusive pessoas, trajetos e campos personalizados. Você pode importar em qualquer instância do Paxlog.',
    csv: 'Para planilhas: uma linha por voo, com horários locais.',
    kml: 'Para o Google Earth: rotas e, se houver, trajetos.',
    geojson: 'Para mapas e programas de GIS: círculos máximos e trajetos.',
    ics: 'Para calendários: um evento por voo. Para um calendário que se atualiza sozinho, veja Configurações, Calendário.',
  },
  download: 'Baixar<unseen> como {title}</unseen>',
}
