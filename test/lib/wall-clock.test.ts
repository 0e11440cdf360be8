import { describe, expect, test } from 'vitest'
import { parseClock } from '../../src/lib/wall-clock.ts'

describe('parseClock', () => {
  const good: [text: string, clock: string][] = [
    ['0:00', '00:00'],
    ['9:05', '09:05'],
    ['09:05', '09:05'],
    ['9.05', '09:05'],
    ['21.05', '21:05'],
    ['2105', '21:05'],
    ['0000', '00:00'],
    ['23:59', '23:59'],
    ['9:05 am', '09:05'],
    ['9:05am', '09:05'],
    ['9:05 PM', '21:05'],
    ['09.05Pm', '21:05'],
    ['0905pm', '21:05'],
    ['12:00 am', '00:00'],
    ['12:30AM', '00:30'],
    ['12:00 pm', '12:00'],
    ['1:00pm', '13:00'],
    ['11:59 pM', '23:59'],
  ]
  test.each(good)('parses %s as %s', (text, clock) => expect(parseClock(text)).toBe(clock))

  const bad = [
    '24:00', '23:60', '9', '905', '9:5', '09:05:00', '9:05:00 pm', '0:30 am', '13:00 pm', '00:30 pm', '9:05  pm',
    '9:05 p', '9:05 p.m.', ' 9:05', '9:05 ', '9-05', '9;05', '21 05', '٩:٠٥', '9:05\n', '-1:00', '1e1:00', 'noon', ' ',
  ] // biome-ignore format: a list of short texts
  test.each(bad)('rejects %j', (text) => expect(parseClock(text)).toBeUndefined())
})
