import { describe, expect, test } from 'vitest'
import { readDocument } from '../../../src/domain/documents/readers/registry.ts'
import { passText } from '../../support/boarding-pass.ts'
import { zip } from '../../support/zip.ts'
import { REFERENCE, samples } from './samples.ts'

const read = (content: Buffer | string, contentType?: string, date = REFERENCE) =>
  readDocument({ content: Buffer.from(content as string), contentType, date })

const refused = { code: 'validation_failed' }

describe('a document', () => {
  test('is recognized by its content, also after white space and a byte order mark', async () => {
    for (const { name, content, expected } of samples) {
      for (const type of [undefined, '', 'application/octet-stream', 'text/plain', 'application/zip', '???']) {
        const found = await read(content, type)
        expect([name, type, found.length >= expected.length]).toEqual([name, type, true])
      }
      if (typeof content !== 'string') continue
      for (const before of ['\uFEFF', '\n\n', '\uFEFF \r\n']) {
        expect([name, await read(before + content)]).toEqual([name, await read(content)])
      }
    }
  })

  test('is read as the format that its content type names', async () => {
    const text = samples[0]!.content
    for (const type of [
      'text/calendar',
      'TEXT/CALENDAR; charset=utf-8',
      'application/json',
      'message/rfc822',
      'text/html',
    ]) {
      await expect(read(text, type)).rejects.toMatchObject(refused)
    }
  })

  test('that begins with any tag is recognized as HTML', async () => {
    const flight = { '@type': 'Flight', flightNumber: 'LX1' }
    const script = `<script type="application/ld+json">${JSON.stringify(flight)}</script>`
    for (const before of [
      '',
      '<p>Hello</p>',
      '<meta charset="utf-8">',
      '<?xml version="1.0"?>',
      '<!-- -->',
      '<SPAN/>',
    ]) {
      expect([before, (await read(before + script)).length]).toEqual([before, 1])
    }
  })

  test('without a flight is refused with the accepted inputs', async () => {
    const message = expect.stringMatching(/boarding pass.*Wallet.*e-mail.*JSON.*calendar/)
    const empty = zip({ 'other.txt': { content: 'x' } })
    const train = zip({ 'pass.json': { content: '{"boardingPass":{"transitType":"PKTransitTypeTrain"}}' } })
    for (const content of [
      ...['Hello', '', ' ', '{}', '[]', 'null', '<html></html>', 'M5xxx', 'From: a@example.org\n\nHello', empty, train],
      'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n',
    ]) {
      await expect(read(content)).rejects.toMatchObject({ ...refused, message })
    }
  })
})

describe('a boarding pass', () => {
  const pass = passText({ name: 'SAMPLE/MIRA', legs: [{ route: 'ZRHLHRLX', number: '0316', day: '123' }] })
  const withDay = (day: string, issue?: string) =>
    passText({ name: 'SAMPLE/MIRA', ...(issue && { issue }), legs: [{ route: 'ZRHLHRLX', number: '0316', day }] })
  const dateOf = async (day: string, reference: string, issue?: string) =>
    (await read(withDay(day, issue), 'text/plain', reference))[0]!.date

  test.each([
    // Without a day of issue: at most 14 days after the reference.
    ['123', '2025-05-03', undefined, '2025-05-03'],
    ['137', '2025-05-03', undefined, '2025-05-17'],
    ['138', '2025-05-03', undefined, '2024-05-17'],
    ['004', '2025-12-25', undefined, '2026-01-04'],
    ['366', '2025-05-03', undefined, '2024-12-31'],
    ['366', '2024-12-20', undefined, '2024-12-31'],
    ['060', '2024-03-01', undefined, '2024-02-29'],
    ['001', '0001-01-01', undefined, '0001-01-01'],
    // On or after the day of issue, whose year has the last digit.
    ['123', '2025-05-03', '5123', '2025-05-03'],
    ['122', '2025-05-03', '5123', '2026-05-02'],
    ['124', '2025-05-03', '4300', '2025-05-04'],
    ['123', '2025-05-03', '6001', '2016-05-02'],
    ['366', '2025-05-03', '4300', '2024-12-31'],
    ['001', '2025-05-03', '4366', '2025-01-01'],
  ])('with the day %s is read on %s with the day of issue %s as %s', async (day, reference, issue, expected) => {
    expect(await dateOf(day, reference, issue)).toBe(expected)
  })

  test.each([
    ['day 000', withDay('000')],
    ['day 367', withDay('367')],
    ['a day that is no number', withDay('1 3')],
    ['day 366 of a common year', withDay('366', '5123')],
    ['day 366 of the year after the day of issue', withDay('366', '3365')],
    [
      'day 366 of a common year in a later leg',
      passText({
        name: 'SAMPLE/MIRA',
        issue: '5100',
        legs: [
          { route: 'ZRHLHRLX', number: '0316', day: '300' },
          { route: 'LHRZRHLX', number: '0317', day: '366' },
        ],
      }),
    ],
    ['a day of issue 000', withDay('123', '5000')],
    ['a day of issue that is no number', withDay('123', '5A00')],
    ['a day of issue in a year without day 366', withDay('123', '5366')],
    ['an airport with a digit', pass.replace('ZRH', 'ZR1')],
    ['an airport in lower case', pass.replace('ZRH', 'zrh')],
    ['no airline', pass.replace('LX ', '   ')],
    ['a flight number that is no number', pass.replace('0316 ', 'ABCDE')],
    ['a length that is no number', pass.replace(/00$/, 'ZZ')],
    ['a length above the rest', pass.replace(/00$/, '01')],
    ['text after its end', `${pass}X`],
    ['security data of another length', `${pass}^103AB`],
    ['text after its security data', `${pass}^102ABC`],
    ['more legs than fields', pass.replace('M1', 'M2')],
    ['fewer characters', pass.slice(0, 40)],
    ['only a start', 'M1'],
    ['control characters', pass.replace('SAMPLE', 'SAM\0LE')],
    ['thousands of characters', pass + ' '.repeat(3000)],
  ])('with %s is refused', async (_problem, text) => {
    await expect(read(text)).rejects.toMatchObject(refused)
  })

  test('that is broken is named by its line', async () => {
    for (const [before, line] of [
      [`${pass}\n`, 2],
      [`${pass}\r\n\r\n`, 3],
      [`${pass}\r \r`, 3],
    ] as const) {
      const message = `Line ${line} is not a valid boarding pass: it is too short.`
      await expect(read(before + pass.slice(0, 50))).rejects.toMatchObject({ ...refused, message })
    }
  })
})

describe('a Wallet pass', () => {
  const json = JSON.stringify({ boardingPass: {}, barcode: { message: samples[0]!.content } })
  const valid = zip({ 'pass.json': { content: json } })

  test.each([
    ['its planned departure', { originalDepartureDate: '2023-05-03T10:00+02:00' }],
    ['its departure', { currentDepartureDate: '2023-05-03T10:00+02:00' }],
  ])('has the year of %s', async (_member, semantics) => {
    const pass = { ...JSON.parse(json), relevantDate: '2024-05-02T06:00Z', semantics }
    const [flight] = await read(zip({ 'pass.json': { content: JSON.stringify(pass) } }))
    expect(flight).toMatchObject({ date: '2023-05-03', departure: { instant: '2023-05-03T08:00:00.000Z' } })
  })

  const change = (find: string, offset: number, value: number, file = valid) => {
    const bytes = Buffer.from(file)
    bytes.writeUInt16LE(value, bytes.lastIndexOf(find, undefined, 'latin1') + offset)
    return bytes
  }

  test.each([
    ['cut in half', valid.subarray(0, valid.length / 2)],
    ['without its last byte', valid.subarray(0, -1)],
    ['of which only the signature is left', Buffer.from('PK\x03\x04')],
    ['with an offset outside of the file', change('PK\x05\x06', 18, 0xffff)],
    ['whose entry is outside of the file', change('PK\x01\x02', 44, 0xffff)],
    ['that declares more entries', change('PK\x05\x06', 10, 0xffff, zip({ 'pass.text': { content: json } }))],
    ['with a wrong checksum', change('PK\x01\x02', 16, 1)],
    ['with an unknown compression', change('PK\x01\x02', 10, 12)],
    ['that is encrypted', change('PK\x01\x02', 8, 1)],
    ['whose packed size ends too early', change('PK\x01\x02', 20, 5)],
    ['of more than 256 KiB', zip({ 'pass.json': { content: `${json}${' '.repeat(256 * 1024)}` } })],
    ['that declares less than it is', zip({ 'pass.json': { content: ' '.repeat(100_000_000), declaredSize: 10 } })],
    ['of more than 256 KiB without compression', zip({ 'pass.json': { content: ' '.repeat(300_000), stored: true } })],
    ['that is not JSON', zip({ 'pass.json': { content: '{' } })],
    ['that is nested deeply', zip({ 'pass.json': { content: '['.repeat(100_000) } })],
    ['with a broken barcode', zip({ 'pass.json': { content: json.replace('ZRH', '123') } })],
  ])('%s is refused', async (_problem, content) => {
    expect(await read(valid)).toHaveLength(1)
    await expect(read(content, 'application/vnd.apple.pkpass')).rejects.toMatchObject(refused)
  })
})

describe('hostile text', () => {
  const flight = '"@type":"Flight","flightNumber":"LX1","departureAirport":"ZRH","arrivalAirport":"LHR"'

  test('in JSON does not change the result', async () => {
    for (const [more, count] of [
      ['"departureTime":"9999-12-31T23:59:59-23:00"', 1],
      ['"departureTime":"0000-01-01T00:00"', 1],
      ['"departureTime":-1,"arrivalTime":1e999', 1],
      ['"departureTime":{"toString":1},"seat":[[[]]]', 1],
      ['"__proto__":{"flightNumber":"XX1"},"constructor":{"prototype":{"a":1}}', 1],
      [`"x":${'['.repeat(100_000)}${']'.repeat(100_000)}`, 1],
      ['"@id":"#a","airline":{"@id":"#a"}', 1],
    ] as const) {
      const found = await read(`{${flight},${more}}`, 'application/json')
      expect([more.slice(0, 60), found.length]).toEqual([more.slice(0, 60), count])
      expect(found[0]).toMatchObject({ flightNumber: 'LX1', departure: null, arrival: null })
    }
    expect(({} as { a?: number }).a).toBeUndefined()
  })

  test('is shortened and has no control characters', async () => {
    const reservation = (name: string) =>
      JSON.stringify({
        '@type': 'FlightReservation',
        underName: name,
        reservationFor: { '@type': 'Flight', flightNumber: 'LX1' },
      })
    const nameOf = async (name: string) => (await read(reservation(name)))[0]!.passengerName
    expect(await nameOf('a'.repeat(1_000_000))).toBe('a'.repeat(100))
    expect(await nameOf('Mira\0\u0007\n Sample')).toBe('Mira Sample')
    expect(await nameOf('\ud800Mira')).toBe('\ufffdMira')
    expect(await nameOf('&#0;&#xd800;&#1114112;&bogus;&amp;amp;')).toBe('\ufffd\ufffd\ufffd&bogus;&amp;')
  })

  test('that is broken or too large for its format is refused', async () => {
    const event = 'BEGIN:VEVENT\r\nSUMMARY:LX 316 ZRH-LHR\r\nDTSTART:20250503T100000Z\r\n'
    const calendar = (more: string) => `BEGIN:VCALENDAR\r\n${event}${more}\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n`
    expect(await read(calendar(`X-TEXT:${'x'.repeat(8_000)}`))).toHaveLength(1)
    const page = `Content-Type: text/html\n\n<script type="application/ld+json">{${flight}}</script>\n`
    const withParts = (count: number) =>
      `From: a@example.org\nContent-Type: multipart/mixed; boundary=b\n\n--b\n${page}${'--b\n\nx\n'.repeat(count)}--b--\n`
    expect(await read(withParts(10))).toHaveLength(1)
    const deep = Array.from({ length: 200 }, (_, level) => {
      return `Content-Type: multipart/mixed; boundary=b${level}\n\n--b${level}\n`
    }).join('')
    for (const content of [
      calendar(`X-TEXT:${'x'.repeat(1_900_000)}`),
      calendar(`X-TEXT:${'xxxx\r\n '.repeat(3_000)}`),
      calendar('no colon'),
      'BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n',
      '{"@type":"Flight"',
      withParts(10_000),
      `From: a@example.org\n${deep}`,
      `From: a@example.org\nX: ${'x'.repeat(1_000_000)}\n\nHello`,
      Buffer.from([0x4d, 0x31, 0xff, 0xfe, 0x00]),
    ]) {
      await expect(read(content)).rejects.toMatchObject(refused)
    }
  })

  test('in a calendar does not change other events', async () => {
    const event = (lines: string) => `BEGIN:VEVENT\r\nSUMMARY:LX 316 ZRH-LHR\r\n${lines}\r\nEND:VEVENT\r\n`
    const found = await read(
      `BEGIN:VCALENDAR\r\n${['DTSTART:20259999T999999Z', 'DTSTART:00000101T000000Z', 'DTSTART;TZID=Nowhere/None:99991231T235959', 'DTSTART;TZID=Europe/Zurich:00010101T000000', 'DTSTART:\u0000\ufffd', 'RRULE:FREQ=SECONDLY'].map(event).join('')}END:VCALENDAR\r\n`,
    )
    expect(found.map(({ departure }) => departure)).toEqual([
      null,
      null,
      { local: '9999-12-31T23:59:59' },
      null,
      null,
      null,
    ])
  })
})
