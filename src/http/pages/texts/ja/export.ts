import type { exportFlights as source } from '../en/export.ts'
import { plural, type Translation } from '../message.ts'

export const exportFlights: Translation<typeof source> = {
  title: 'フライトのエクスポート',
  flights: 'フライト',
  contents: plural({ other: 'ファイルには{count}件のフライトが含まれます。' }),
  titles: { json: 'JSON', csv: 'CSV', kml: 'KML', geojson: 'GeoJSON', ics: 'カレンダー（ICS）' },
  descriptions: {
    json: '搭乗者、航跡、カスタム項目を含むすべてのデータです。どのPaxlogサーバーにもインポートできます。',
    csv: '表計算ソフト用。1フライトにつき1行で、時刻は現地時刻です。',
    kml: 'Google Earth用。路線と、記録があれば航跡を含みます。',
    geojson: '地図やGISソフト用。大圏コースと航跡を含みます。',
    ics: 'カレンダー用。1フライトにつき1件の予定です。自動で更新されるカレンダーは、「設定」の「カレンダー」で作成できます。',
  },
  download: '<unseen>{title}を</unseen>ダウンロード',
}
