import type { offline as source } from '../en/offline.ts'
import type { Translation } from '../message.ts'

/** Reading without a connection. */
export const offline: Translation<typeof source> = {
  storedCopy: 'オフラインです。保存済みのコピーを閲覧できますが、変更はできません。',
  title: 'オフラインです',
  notStored: 'このページはこの端末に保存されていません。開くにはインターネットに接続してください。',
  home: '保存済みのフライトを表示',
  again: '再試行',
  setting: 'この端末でのオフライン利用',
  settingHint:
    '合計と最近のフライト50件をこのブラウザに保存し、接続なしで閲覧できるようにします。ログアウトすると削除され、オフになります。',
  needs: 'JavaScriptが必要です。localhost以外ではhttpsも必要です。',
}
