import type { clocks as source } from '../en/clocks.ts'
import { plural, type Translation } from '../message.ts'

export const clocks: Translation<typeof source> = {
  yourTime: '端末の時刻',
  arrivesDayBefore: '到着は前日（{day}）です。',
  arrivesSameDay: '到着は同日（{day}）です。',
  arrivesNextDay: '到着は翌日（{day}）です。',
  arrivesEarlier: plural({ other: '到着は{count}日前（{day}）です。' }),
  arrivesLater: plural({ other: '到着は{count}日後（{day}）です。' }),
}
