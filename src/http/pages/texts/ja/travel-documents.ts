import type { travelDocuments as source } from '../en/travel-documents.ts'
import { plural, type Translation } from '../message.ts'

/** Boarding passes, wallet passes, confirmation e-mails and calendar files. */
export const travelDocuments: Translation<typeof source> = {
  way: '搭乗券・メール',
  wayHint: '搭乗券を読み取るか、写真、ウォレットのパス、予約確認メール、カレンダーファイルを選びます。',
  scan: 'カメラで読み取る',
  file: '写真またはファイル',
  pasteText: 'テキストを貼り付け',
  text: '搭乗券のバーコード、メール、カレンダーのテキスト',
  read: 'フライトを読み取る',

  title: '搭乗券やメールからフライトを追加',
  photoNeedsScript:
    '写真はブラウザで読み取るため、JavaScriptが必要です。ほかの種類のファイルを選ぶか、フライトを手動で入力してください。',
  noFlight:
    'フライトが見つかりません。メールには、構造化されたフライト情報、カレンダーファイル、またはウォレットのパスが必要です。別のファイルを選ぶか、フライトを手動で入力してください。',
  nothingGiven: 'ファイルを選ぶか、テキストを貼り付けてください。',
  enterManually: 'フライトを手動で入力',

  found: plural({ other: '{count}件のフライトが見つかりました' }),
  foundHint: 'まだ保存されていません。内容を確認してから保存してください。',
  kinds: {
    boarding_pass: '搭乗券',
    wallet_pass: 'ウォレットのパス',
    reservation: '予約',
    event: 'カレンダーの予定',
  },
  unknownRoute: '不明な路線',
  unknownAirport: '不明な空港',
  route: '{from} → {to}',
  times: '{departure} – {arrival}',
  departs: '出発 {time}',
  arrives: '到着 {time}',
  seat: '座席{seat}',
  terminal: 'ターミナル{terminal}',
  gate: 'ゲート{gate}',
  booking: '予約番号{reference}',
  duplicate: 'すでにログにあります。<link>フライトを表示</link>',
  select: '{from}発{to}行きのフライトを保存',
  selectUnknown: 'このフライトを保存',

  saveOne: 'フライトを保存',
  saveAll: 'すべて保存',
  saveSelected: '選択したものを保存',
  selectOne: 'フライトを1件以上選択してください。',
  saved: plural({ other: '{count}件のフライトを追加しました。' }),
  someSaved: plural({
    other: '{count}件のフライトを追加しました。残りを修正して、もう一度保存してください。',
  }),
  expired: 'このページの内容はもう保存できません。もう一度読み取ってください。',
}
