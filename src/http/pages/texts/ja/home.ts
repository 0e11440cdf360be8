import type { home as source } from '../en/home.ts'
import { plural, type Translation } from '../message.ts'

export const home: Translation<typeof source> = {
  title: 'フライト',
  titleOfPage: 'フライト（{page}ページ目）',
  nextFlight: '次のフライト',
  cities: '{from} → {to}',
  noAccess: '自分のロールにはフライトを閲覧する権限がありません。管理者に変更を依頼してください。',
  map: '地図',
  yourFlights: '自分のフライト',
  mostFlown: '最多利用',
  airport: '空港',
  route: '路線',
  airline: '航空会社',
  aircraft: '機種',
  times: plural({ other: '{count}回' }),
  noFlights: 'まだフライトはありません。追加すると、自分だけの地図が広がっていきます。',
  addFlight: 'フライトを追加',
  addFirst: '最初のフライトを追加',
  importHint: 'ほかのサービスから移行しますか？<link>ファイルをインポート</link>できます。',
  import: 'インポート',
  useApiHint: '<link>自分のAPIキー</link>を使うと、プログラムからフライトを追加できます。',
}
