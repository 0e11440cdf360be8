import type { punctuality as source } from '../en/punctuality.ts'
import { plural, type Translation } from '../message.ts'

export const punctuality: Translation<typeof source> = {
  title: '定時性',
  departure: '出発',
  arrival: '到着',
  flights: 'フライト',
  early: '予定より早い',
  onTime: '定刻',
  late: '15分以上の遅れ',
  median: '中央値',
  average: '平均',
  delayLate: '{time}遅れ',
  delayEarly: '{time}早い',
  noDelay: '定刻',
  largestDelay: '最大の遅れ：<link>{from} → {to}</link>（{day}、{delay}）。',
  basedOn: plural({ other: '{count}フライトの集計です。' }),
  lost: '到着の遅れで失った時間は、合計{time}です。',
}
