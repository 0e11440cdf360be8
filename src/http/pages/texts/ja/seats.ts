import type { seats as source } from '../en/seats.ts'
import type { Translation } from '../message.ts'

export const seats: Translation<typeof source> = {
  labels: {
    who: '名前',
    guestName: 'ゲストの名前',
    seat: '座席',
    seatNumber: '座席番号',
    seatClass: '搭乗クラス',
    flightReason: '目的',
  },
  notStated: '未設定',
  seats: {
    window: '窓側',
    aisle: '通路側',
    middle: '中央',
    pilot: '操縦席',
    copilot: '副操縦席',
    jumpseat: 'ジャンプシート',
    other: 'その他',
  },
  classes: {
    economy: 'エコノミー',
    'economy+': 'プレミアムエコノミー',
    business: 'ビジネス',
    first: 'ファースト',
    private: 'プライベート',
  },
  reasons: { leisure: 'レジャー', business: '出張', crew: '乗務', other: 'その他' },
  /** A seat without a number. */
  kinds: {
    window: '窓側席',
    aisle: '通路側席',
    middle: '中央席',
    pilot: '操縦席',
    copilot: '副操縦席',
    jumpseat: 'ジャンプシート',
    other: 'その他の座席',
  },
  numbered: '座席{number}',
  numberedKinds: {
    window: '座席{number}（窓側）',
    aisle: '座席{number}（通路側）',
    middle: '座席{number}（中央）',
    pilot: '座席{number}（操縦席）',
    copilot: '座席{number}（副操縦席）',
    jumpseat: '座席{number}（ジャンプシート）',
    other: '座席{number}（その他）',
  },
  seatClass: '搭乗クラス：{seatClass}',
  reason: '目的：{reason}',
}
