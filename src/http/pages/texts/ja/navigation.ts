import type { navigation as source } from '../en/navigation.ts'
import type { Translation } from '../message.ts'

export const navigation: Translation<typeof source> = {
  groups: { main: 'メイン', settings: '設定', administration: '管理', menu: 'アカウント' },
  places: {
    home: 'フライト',
    map: '地図',
    trips: '旅行',
    statistics: '統計',
    countries: '国・地域',
    preferences: '環境設定',
    shares: '共有ページ',
    calendar: 'カレンダー',
    deletedFlights: '最近削除した項目',
    security: 'セキュリティ',
    ownActivity: '操作履歴',
    users: 'ユーザー',
    roles: 'ロール',
    customFields: 'カスタム項目',
    reference: 'マスターデータ',
    activity: '操作履歴',
    docs: 'API',
  },
  addFlight: 'フライトを追加',
  accountOf: '<shown>{name}</shown><unseen>のアカウント</unseen>',
  signedInAs: '<name>{username}</name>でログイン中',
  shortcuts: 'キーボードショートカット',
  signOut: 'ログアウト',
}
