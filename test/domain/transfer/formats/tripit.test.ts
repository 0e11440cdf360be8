import { describe, expect, test } from 'vitest'
import { fileText } from '../../../../src/domain/transfer/formats/text.ts'
import { flights, parse, reasons, sampleText } from '../sample.ts'

const calendar = (...lines: string[]) =>
  ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', ...lines, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n')

describe('a calendar of TripIt', () => {
  const file = parse('tripit', sampleText('tripit.ics'))
  const rows = flights(file)

  test('has events that name a flight as rows, and neither other events, whole days nor alarms', () => {
    expect(file.rows).toHaveLength(7)
    expect([1, 2, 3].map((row) => rows[row]?.flightNumber)).toEqual(['LX2084', 'U2 8471', 'SWR9A'])
  })

  test('gives times in UTC and leaves the day to the origin', () => {
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

  test('applies zones that it knows, quoted or not, and unfolds lines', () => {
    expect(rows[2]).toMatchObject({
      departure: { instant: '2024-05-07T22:30:00.000Z' },
      arrival: { instant: '2024-05-08T01:15:00.000Z' },
      airline: { lookups: [{ by: 'iata', value: 'U2' }] },
    })
  })

  test('takes times without a zone, or of an unknown one, as local at the airport', () => {
    expect(rows[3]).toMatchObject({
      date: '2024-06-01',
      departure: { local: '2024-06-01T08:00:00', at: 'from' },
      arrival: { local: '2024-06-01T09:10:00', at: 'to' },
      airline: { lookups: [{ by: 'icao', value: 'SWR' }] },
    })
  })

  test('rejects events that are cancelled, cut off or without a start', () => {
    expect(reasons(file)).toEqual({
      4: 'The event of the flight LX2 has no DTSTART.',
      5: 'The date 2024-06-31 is not a day that exists.',
      6: 'The event of the flight LX4 has the status CANCELLED.',
      7: 'The event of the flight LX5 has no end.',
    })
  })

  test('may be folded inside of a character', () => {
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

  test('may name the parts of a line in any case, and hold escapes', () => {
    const text = calendar('dtstart;value=date-time:20240503T102000Z', 'summary;LANGUAGE="e;n:":LX1\\n ZRH to GVA')
    expect(
      flights(parse('tripit', text.toLowerCase().replace('lx1\\n zrh to gva', 'LX1\\N ZRH to GVA')))[1],
    ).toMatchObject({
      flightNumber: 'LX1',
    })
  })

  test('has a moment beyond the last year rejected', () => {
    const text = calendar('DTSTART;TZID=America/New_York:99991231T235900', 'SUMMARY:LX1 ZRH to GVA')
    expect(reasons(parse('tripit', text))).toEqual({ 1: 'The time 99991231T235900 is out of range.' })
  })

  test('is unreadable when it does not begin as a calendar', () => {
    expect(() => parse('tripit', 'BEGIN:VEVENT\n')).toThrow('The file does not begin with BEGIN:VCALENDAR.')
  })
})
