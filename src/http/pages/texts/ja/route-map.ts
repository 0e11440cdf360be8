import type { routeMap as source } from '../en/route-map.ts'
import { plural, type Translation } from '../message.ts'

export const routeMap: Translation<typeof source> = {
  title: plural({ other: '{count}路線の地図' }),
  description: '{airports}を結ぶ{routes}を示した世界地図。',
  routes: plural({ other: '{count}路線' }),
  airports: plural({ other: '{count}空港' }),
  mostFlown: plural({ other: '最も多い路線：{from} – {to}（{count}回）。' }),
  onlyMostFlown: '搭乗回数の多い{drawn}路線だけを表示しています。',
  legend: '地図の凡例',
  route: '路線',
  /** The widths of lines. */
  counts: { 1: '1回', 2: '2～3回', 3: '4～7回', 4: '8～15回', 5: '16回以上' },
  planned: '予定',
  track: '記録された航跡',
  altitude: { m: '高度（m）：', ft: '高度（ft）：' },
  below: '{altitude}未満',
  from: '{altitude}以上',
  listRoutes: '路線一覧',
}
