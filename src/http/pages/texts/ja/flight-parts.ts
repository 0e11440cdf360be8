import type { flightParts as source } from '../en/flight-parts.ts'
import { plural, type Translation } from '../message.ts'

export const flightParts: Translation<typeof source> = {
  addedBy: '{moment}に{name}さんが追加しました。',
  addedByOperator: '{moment}に運用者が追加しました。',
  changedBy: '最終更新：{moment}（{name}さん）。',
  changedByOperator: '最終更新：{moment}（運用者）。',
  deleteThis: 'このフライトを削除',
  delete: 'フライトを削除',
  deletedFromLog: 'このフライトはログから削除されます。',
  deletedFromBoth: 'このフライトは、2人の搭乗者のログから削除されます。',
  deletedFromAll: plural({ other: 'このフライトは、{count}人の搭乗者全員のログから削除されます。' }),
  withNote: 'メモも削除されます。',
  withTrack: '航跡も削除されます。',
  withNoteAndTrack: 'メモと航跡も削除されます。',
  final: 'この操作は取り消せません。',
  restorable: plural({ other: '{count}日以内であれば復元できます。' }),
}
