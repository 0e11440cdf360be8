import type { activity as source } from '../en/activity.ts'
import type { Translation } from '../message.ts'

export const activity: Translation<typeof source> = {
  title: '操作履歴',
  hint: '誰が何をしたかを新しい順に表示します。記録は400日間保存されます。',
  person: 'ユーザー名',
  kind: '種類',
  allKinds: 'すべて',
  apply: '適用',
  unknownUser: 'ユーザー「{person}」は存在しません。',
  noMatch: '該当する記録はありません。',
  ownHint:
    'ログイン、APIキー、連携アプリの履歴と、自分のフライトへのすべての変更を新しい順に表示します。記録は400日間保存されます。',
  noEntries: 'まだ記録はありません。',
  what: '内容',
  when: '日時',
  how: '経路',
  surfaces: { v1: 'API', legacy: '旧API', mcp: 'MCP', page: 'ブラウザ', cli: 'コマンドライン' },
  moreEntries: 'ほかの記録',
  newest: '最新の記録',
  older: '以前の記録',
}
