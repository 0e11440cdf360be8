import { describe, expect, test } from 'vitest'
import {
  endOfPeriod,
  isCalendarDay,
  isoInstant,
  isZone,
  localInstant,
  localTime,
  normalizeInstant,
  parseInstant,
} from '../../src/lib/dates.ts'

describe('isCalendarDay', () => {
  test.each(['2025-05-03', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31', '1582-10-10'])(
    'accepts %s',
    (day) => {
      expect(isCalendarDay(day)).toBe(true)
    },
  )

  test.each([
    '2025-02-29',
    '1900-02-29',
    '2025-04-31',
    '2025-13-01',
    '2025-00-10',
    '2025-01-00',
    '2025-01-32',
    '0000-01-01',
    '10000-01-01',
    '-001-01-01',
    '+2025-01-01',
    '25-01-01',
    '2025-1-1',
    '2025/01/01',
    '20250101',
    '2025-01',
    '2025',
    '2025-01-01T00:00Z',
    ' 2025-01-01',
    '2025-01-01 ',
    '2025-01-01\n',
    '٢٠٢٥-01-01',
    '',
    'today',
  ])('rejects %j', (day) => {
    expect(isCalendarDay(day)).toBe(false)
  })
})

describe('date-times of a request', () => {
  test.each([
    ['2025-05-03T12:20:00+02:00', '2025-05-03T10:20:00.000Z'],
    ['2025-05-03T12:20Z', '2025-05-03T12:20:00.000Z'],
    ['2025-05-03T12:20:59Z', '2025-05-03T12:20:59.000Z'],
    ['2025-05-03T12:20:59.1Z', '2025-05-03T12:20:59.100Z'],
    ['2025-05-03T12:20:59.12Z', '2025-05-03T12:20:59.120Z'],
    ['2025-05-03T12:20:59.999999999Z', '2025-05-03T12:20:59.999Z'],
    ['2025-05-03T12:20:59.0009-05:30', '2025-05-03T17:50:59.000Z'],
    ['2025-05-03T00:00+23:59', '2025-05-02T00:01:00.000Z'],
    ['2025-05-03T00:00-23:59', '2025-05-03T23:59:00.000Z'],
    ['2025-05-03T00:00-00:00', '2025-05-03T00:00:00.000Z'],
    ['2024-02-29T23:59:59-00:01', '2024-03-01T00:00:59.000Z'],
    ['0001-01-01T00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ['1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z'],
    [`2025-05-03T12:20:59.${'1'.repeat(10_000)}Z`, '2025-05-03T12:20:59.111Z'],
  ])('%s is %s', (text, instant) => {
    expect(isoInstant(parseInstant(text)!)).toBe(instant)
    expect(normalizeInstant(text)).toBe(instant)
  })

  test.each([
    '2025-05-03',
    '2025-05-03T12:20',
    '2025-05-03T12:20:00',
    '2025-05-03 12:20Z',
    '2025-05-03t12:20Z',
    '2025-05-03T12:20z',
    '2025-05-03T12Z',
    '2025-05-03T1220Z',
    '20250503T122000Z',
    '2025-05-03T24:00Z',
    '2025-05-03T12:60Z',
    '2025-05-03T12:20:60Z',
    '2025-05-03T12:20:00.Z',
    '2025-05-03T12:20:00,5Z',
    '2025-05-03T12:20.5Z',
    '2025-05-03T12:20+02',
    '2025-05-03T12:20+0200',
    '2025-05-03T12:20+24:00',
    '2025-05-03T12:20+02:60',
    '2025-05-03T12:20+2:00',
    '2025-05-03T12:20 +02:00',
    '2025-05-03T12:20−02:00',
    '2025-05-03T12:20Z ',
    ' 2025-05-03T12:20Z',
    '2025-05-03T12:20Z\n',
    '2025-05-03T12:20[Europe/Zurich]',
    '2025-05-03T12:20Z[UTC]',
    '2025-02-30T12:20Z',
    '2025-W18-6T12:20Z',
    '2025-123T12:20Z',
    '+002025-05-03T12:20Z',
    '0000-12-31T23:59Z',
    '10000-01-01T00:00Z',
    '1746267600',
    'now',
    '',
    'Sat, 03 May 2025 10:20:00 GMT',
    // The year in UTC is outside 0001 to 9999.
    '0001-01-01T00:30+01:00',
    '9999-12-31T23:30-01:00',
  ])('%j is rejected', (text) => {
    expect(parseInstant(text)).toBeUndefined()
    expect(normalizeInstant(text)).toBeUndefined()
  })

  test('are equal in every notation and sort by instant', () => {
    const same = ['2025-05-03T10:20Z', '2025-05-03T12:20+02:00', '2025-05-03T04:50:00.0001-05:30']
    expect(new Set(same.map(parseInstant)).size).toBe(1)
    const ordered = [
      '0001-01-01T00:00Z',
      '0999-12-31T23:59Z',
      '1969-12-31T00:00Z',
      '1970-01-01T00:00Z',
      '9999-12-31T00:00Z',
    ]
    const texts = ordered.map((text) => isoInstant(parseInstant(text)!))
    expect(texts.toSorted()).toEqual(texts)
  })
})

describe('local times', () => {
  test.each([
    ['2025-07-12', '10:40', 'Europe/Berlin', '2025-07-12T08:40:00.000Z'],
    ['2025-01-12', '10:40', 'Europe/Berlin', '2025-01-12T09:40:00.000Z'],
    // In a gap: moved forward by its length.
    ['2022-03-13', '02:30', 'America/New_York', '2022-03-13T07:30:00.000Z'],
    ['2025-10-05', '02:15', 'Australia/Lord_Howe', '2025-10-04T15:45:00.000Z'],
    ['2011-12-30', '12:00', 'Pacific/Apia', '2011-12-30T22:00:00.000Z'],
    // Ambiguous: the first occurrence.
    ['2022-11-06', '01:30', 'America/New_York', '2022-11-06T05:30:00.000Z'],
    ['2025-04-06', '01:45', 'Australia/Lord_Howe', '2025-04-05T14:45:00.000Z'],
    // Unknown zone: UTC.
    ['2025-04-06', '10:00', '', '2025-04-06T10:00:00.000Z'],
    ['2025-04-06', '10:00', 'Mars/Olympus', '2025-04-06T10:00:00.000Z'],
    ['2025-04-06', '10:00', '+05:00', '2025-04-06T10:00:00.000Z'],
    // Limits of the calendar.
    ['0001-01-01', '00:00', 'UTC', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31', '23:59', 'UTC', '9999-12-31T23:59:00.000Z'],
  ])('%s %s in %j is %s', (day, clock, zone, instant) => {
    expect(isoInstant(localInstant(day, clock, zone))).toBe(instant)
  })
})

describe('the end of a period', () => {
  test.each([
    ['2025-02-01', 'month', 'UTC', '2025-02-28T23:59:59.999Z'],
    ['2024-02-17', 'month', 'UTC', '2024-02-29T23:59:59.999Z'],
    ['2025-01-31', 'month', 'America/New_York', '2025-02-01T04:59:59.999Z'],
    ['2025-06-15', 'year', 'Pacific/Kiritimati', '2025-12-31T09:59:59.999Z'],
    ['2025-03-01', 'month', 'Europe/Berlin', '2025-03-31T21:59:59.999Z'],
    ['9999-12-01', 'year', 'UTC', '9999-12-31T23:59:59.999Z'],
  ] as const)('of %s is that of its %s in %s', (day, period, zone, instant) => {
    expect(isoInstant(endOfPeriod(day, period, zone))).toBe(instant)
  })
})

describe('time zone names', () => {
  test.each(['Europe/Zurich', 'America/Argentina/Buenos_Aires', 'Asia/Calcutta', 'Asia/Kolkata', 'UTC', 'Etc/GMT+5'])(
    'are valid: %s',
    (name) => {
      expect(isZone(name)).toBe(true)
    },
  )

  test.each(['', '+01:00', '-0330', 'Europe/Atlantis', 'Europe/Zurich ', 'Zürich', '__proto__', 'a\0b', '\ud800'])(
    'are rejected: %j',
    (name) => {
      expect(isZone(name)).toBe(false)
    },
  )
})

describe('the wall clock of an instant', () => {
  test.each([
    ['2025-05-03T10:20:00.000Z', 'Europe/Zurich', '2025-05-03T12:20'],
    ['2025-12-31T23:30:59.999Z', 'Asia/Kathmandu', '2026-01-01T05:15'],
    // Local mean time of 34 minutes and 8 seconds: seconds are truncated.
    ['1850-01-01T00:00:00.000Z', 'Europe/Zurich', '1850-01-01T00:34'],
    ['0001-01-01T00:00:00.000Z', 'Etc/GMT+5', '0000-12-31T19:00'],
    ['9999-12-31T23:59:59.999Z', 'Etc/GMT-1', '+010000-01-01T00:59'],
    // Unknown zone: UTC.
    ['2025-05-03T10:20:00.000Z', 'Mars/Phobos', '2025-05-03T10:20'],
    ['2025-05-03T10:20:00.000Z', '+01:00', '2025-05-03T10:20'],
    ['2025-05-03T10:20:00.000Z', '', '2025-05-03T10:20'],
  ])('of %s in %s is %s', (instant, zone, local) => {
    expect(localTime(instant, zone)).toBe(local)
  })
})
