import type { frame as source } from '../en/frame.ts'
import type { Translation } from '../message.ts'

/** Around every page. */
export const frame: Translation<typeof source> = {
  title: '{title} – Paxlog',
  titleWithErrors: 'エラー：{title}',
  skipToContent: '本文へ移動',
  undo: '元に戻す',
  startPage: 'トップページへ',
  appName: 'Paxlog – フライトログ',
}
