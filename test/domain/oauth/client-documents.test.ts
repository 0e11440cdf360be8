import { describe, expect, test } from 'vitest'
import { cacheSeconds } from '../../../src/domain/oauth/client-documents.ts'

const NOW = Date.parse('2026-05-01T12:00:00Z')
const [MIN, MAX] = [300, 86_400]

describe('the time that a client metadata document is cached', () => {
  test.each<[string, Record<string, string>, number]>([
    ['5 minutes without headers', {}, MIN],
    ['max-age', { 'cache-control': 'public, max-age=3600' }, 3600],
    ['a quoted max-age in upper case', { 'cache-control': 'MAX-AGE="3600"' }, 3600],
    ['max-age without the time in other caches', { 'cache-control': 'max-age=3600', age: '600' }, 3000],
    [
      'max-age rather than Expires',
      { 'cache-control': 'max-age=3600', expires: 'Fri, 01 May 2026 20:00:00 GMT' },
      3600,
    ],
    [
      'the time from Date to Expires',
      { date: 'Fri, 01 May 2026 10:00:00 GMT', expires: 'Fri, 01 May 2026 11:00:00 GMT' },
      3600,
    ],
    ['the time from now to Expires', { expires: 'Fri, 01 May 2026 13:00:00 GMT' }, 3600],
    ['at least 5 minutes', { 'cache-control': 'max-age=60' }, MIN],
    ['5 minutes with no-store', { 'cache-control': 'no-store, max-age=3600' }, MIN],
    ['5 minutes with no-cache', { 'cache-control': 'max-age=3600,no-cache' }, MIN],
    ['5 minutes if it is stale', { 'cache-control': 'max-age=3600', age: '7200' }, MIN],
    ['5 minutes if Expires is no date', { expires: '0' }, MIN],
    ['5 minutes if Expires is past', { expires: 'Fri, 01 May 2026 11:00:00 GMT' }, MIN],
    ['5 minutes if max-age is no number', { 'cache-control': 'max-age=soon' }, MIN],
    ['max-age without s-maxage', { 'cache-control': 's-maxage=9000, max-age=3600' }, 3600],
    ['at most a day', { 'cache-control': 'max-age=31536000' }, MAX],
    ['at most a day for a huge max-age', { 'cache-control': `max-age=${'9'.repeat(400)}` }, MAX],
  ])('Q9: is %s', (_what, headers, seconds) => {
    expect(cacheSeconds(headers, NOW)).toBe(seconds)
  })
})
