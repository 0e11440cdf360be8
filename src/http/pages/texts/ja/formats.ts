import type { formats as source } from '../en/formats.ts'
import { plural, type Translation } from '../message.ts'

/** Dates, times and quantities. The names of months come from the language and include 月. */
export const formats: Translation<typeof source> = {
  date: '{year}年{month}{day}日',
  dateMonthFirst: '{year}年{month}{day}日',
  month: '{year}年{month}',
  am: '午前{time}',
  pm: '午後{time}',
  moment: '{day} {time} UTC',
  distance: { km: '{distance}\u00a0km', mi: '{distance}\u00a0mi', nm: '{distance}\u00a0nm' },
  minutes: '{minutes}分',
  hours: '{hours}時間{minutes}分',
  wholeHours: '{hours}時間',
  notKnown: '不明',
  flights: plural({ other: '{count}フライト' }),
}
