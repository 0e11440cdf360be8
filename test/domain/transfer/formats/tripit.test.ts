import { describe, expect, test } from 'vitest'
import { fileText } from '../../../../src/domain/transfer/formats/text.ts'
import { flights, parse, reasons, sampleText } from '../sample.ts'

const calendar = (...lines: string[]) =>
  ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', ...lines, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n')

describe('the TripIt parser', () => {
  const file = parse('tripit', sampleText('tripit.ics'))
  const rows = flights(file)

  test('returns flight events as rows, without other events, whole days and alarms', () => {
    expect(file.rows).toHaveLength(7)
    expect([1, 2, 3].map((row) => rows[row]?.flightNumber)).toEqual(['LX2084', 'U2 8471', 'SWR9A'])
  })

  test('returns times in UTC without a date', () => {
    expect(rows[1]).toEqual({
      datePrecision: 'day',
      from: { by: 'iata', code: 'ZRH' },
      to: { by: 'iata', code: 'LIS' },
      departure: { instant: '2024-05-03T10:20:00.000Z' },
      arrival: { instant: '2024-05-03T13:15:00.000Z' },
      arrivalDay: 'exact',
      durationFirst: false,
      airline: { text: 'LX', lookups: [{ by: 'iata', value: 'LX' }] },
      flightNumber: 'LX2084',
    })
  })

  test('applies known time zones, quoted or not, and unfolds lines', () => {
    expect(rows[2]).toMatchObject({
      departure: { instant: '2024-05-07T22:30:00.000Z' },
      arrival: { instant: '2024-05-08T01:15:00.000Z' },
      airline: { lookups: [{ by: 'iata', value: 'U2' }] },
    })
  })

  test('treats times without a known zone as local at the airport', () => {
    expect(rows[3]).toMatchObject({
      date: '2024-06-01',
      departure: { local: '2024-06-01T08:00:00', at: 'from' },
      arrival: { local: '2024-06-01T09:10:00', at: 'to' },
      airline: { lookups: [{ by: 'icao', value: 'SWR' }] },
    })
  })

  test('rejects events that are cancelled, truncated or without a start', () => {
    expect(reasons(file)).toEqual({
      4: 'The event of flight LX2 has no DTSTART.',
      5: 'The date 2024-06-31 is not a day that exists.',
      6: 'The event of flight LX4 has the status CANCELLED.',
      7: 'The event of flight LX5 has no end.',
    })
  })

  test('accepts lines that are folded inside a character', () => {
    const text = calendar('LOCATION:Zürich', 'DTSTART:20240503T102000Z', 'SUMMARY:LX1 ZRH to GVA')
    const [before = '', after] = text.split('ü')
    const [first = 0, second = 0] = Buffer.from('ü')
    const bytes = Buffer.concat([
      Buffer.from(before),
      Buffer.from([first]),
      Buffer.from('\r\n '),
      Buffer.from([second]),
      Buffer.from(after!),
    ])
    expect(fileText(bytes)).toBe(text)
  })

  test('accepts property names in any letter case, and escapes', () => {
    const text = calendar('dtstart;value=date-time:20240503T102000Z', 'summary;LANGUAGE="e;n:":LX1\\n ZRH to GVA')
    expect(
      flights(parse('tripit', text.toLowerCase().replace('lx1\\n zrh to gva', 'LX1\\N ZRH to GVA')))[1],
    ).toMatchObject({
      flightNumber: 'LX1',
    })
  })

  test('rejects times after the year 9999', () => {
    const text = calendar('DTSTART;TZID=America/New_York:99991231T235900', 'SUMMARY:LX1 ZRH to GVA')
    expect(reasons(parse('tripit', text))).toEqual({ 1: 'The time 99991231T235900 is out of range.' })
  })

  test('rejects a file without BEGIN:VCALENDAR at the start', () => {
    expect(() => parse('tripit', 'BEGIN:VEVENT\n')).toThrow('The file does not begin with BEGIN:VCALENDAR.')
  })
})
