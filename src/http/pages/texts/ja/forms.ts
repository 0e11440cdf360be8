import type { forms as source } from '../en/forms.ts'
import type { Translation } from '../message.ts'

/** Parts of forms and lists. */
export const forms: Translation<typeof source> = {
  fixFollowing: '次の項目を修正してください：',
  notPossible: '実行できません',
  fieldError: '{label}：{message}',

  matches: '{label}：候補',
  addNew: {
    airport: '新しい空港として追加',
    airline: '新しい航空会社として追加',
    aircraft: '新しい機種として追加',
  },

  newPassword: '新しいパスワード',
  passwordHint: '8文字以上。',

  yes: 'はい',
  no: 'いいえ',
  copy: 'コピー',
  copyThis: '<unseen>{what}を</unseen>コピー',

  pages: 'ページ',
  pageOf: '{page} / {pages}ページ',
  page: '{page}ページ',
  previous: '前へ',
  next: '次へ',
}
