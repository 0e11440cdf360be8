import { describe, expect, test } from 'vitest'
import { detectFormat, type FormatName, formatNames } from '../../../../src/domain/transfer/formats/registry.ts'
import {
  type Moment,
  type ParsedFile,
  type ParsedFlight,
  UnreadableFile,
} from '../../../../src/domain/transfer/formats/row.ts'
import { contentOf, fileText } from '../../../../src/domain/transfer/formats/text.ts'
import { isCalendarDay, parseInstant } from '../../../../src/lib/dates.ts'
import { parse, sampleBytes, samples } from '../sample.ts'

const ROUNDS = 240

/** Random numbers that are the same in every run (mulberry32). */
function seeded(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

type Random = ReturnType<typeof seeded>

const lines = (bytes: Buffer) => bytes.toString('latin1').split('\n')
const joined = (parts: string[], by = '\n') => Buffer.from(parts.join(by), 'latin1')
const pieces = [
  '"',
  '""',
  ',',
  ';',
  '\n',
  '\r',
  ':',
  '{',
  '[',
  'null',
  '1e999',
  '\0',
  'None',
  '__proto__',
  '\u{1F6EB}',
  '-1',
  '(',
  '/)',
]

const mangles: ((bytes: Buffer, random: Random) => Buffer)[] = [
  (bytes, random) => bytes.subarray(0, random(bytes.length)),
  (bytes, random) => bytes.subarray(random(bytes.length)),
  (bytes, random) => joined(lines(bytes).filter(() => random(5) > 0)),
  (bytes, random) => {
    const all = lines(bytes)
    for (let count = 0; count < 3; count++) {
      const [one, other] = [random(all.length), random(all.length)]
      ;[all[one], all[other]] = [all[other]!, all[one]!]
    }
    return joined(all)
  },
  (bytes, random) => {
    const cells = bytes.toString('latin1').split(/([,;:\n])/)
    for (let count = 0; count < 6; count++) {
      const [one, other] = [random(cells.length), random(cells.length)]
      ;[cells[one], cells[other]] = [cells[other]!, cells[one]!]
    }
    return joined(cells, '')
  },
  (bytes, random) => {
    const text = bytes.toString('utf8')
    const at = random(text.length)
    return Buffer.from(text.slice(0, at) + pieces[random(pieces.length)] + text.slice(at + random(4)))
  },
  (bytes, random) => {
    const copy = Buffer.from(bytes)
    for (let count = 0; count < 4; count++) copy[random(copy.length)] = random(128)
    return copy
  },
  (bytes, random) => {
    const copy = Buffer.from(bytes)
    copy[random(copy.length)] = random(256)
    return copy
  },
]

/** Checks that parsing throws UnreadableFile or returns consecutive rows from 1 with one valid outcome each. */
function check(format: FormatName, read: () => string): 'unreadable' | 'read' {
  let file: ParsedFile
  try {
    file = parse(format, read())
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    expect(error.message).toMatch(/^[A-Z].*\.$/)
    return 'unreadable'
  }
  for (const [index, row] of [...file.rows].entries()) {
    expect(row.row).toBe(index + 1)
    expect(row.line).toBeGreaterThanOrEqual(row.row)
    for (const problem of row.problems) expect(problem).toMatch(/^[A-Z][^\n]{3,300}\.$/)
    if (row.problems.length === 0) checkFlight(row.flight!)
  }
  return 'read'
}

function checkFlight(flight: ParsedFlight): void {
  if (flight.date !== null) expect(isCalendarDay(flight.date)).toBe(true)
  else expect(flight.departure).toHaveProperty('instant')
  for (const airport of [flight.from, flight.to]) {
    expect(airport!.code).toMatch(airport!.by === 'name' ? /^\S.{0,99}$/s : /^[A-Z0-9-]{2,8}$/)
  }
  for (const name of [flight.airline, flight.aircraft]) if (name) expect(name.lookups.length).toBeGreaterThan(0)
  for (const moment of [flight.departure, flight.arrival, flight.takeoffActual]) if (moment) checkMoment(moment)
  if (flight.departure) expect(flight.departure).not.toHaveProperty('afterDeparture')
  if (flight.duration) expect(Number.isSafeInteger(flight.duration)).toBe(true)
}

function checkMoment(moment: Moment): void {
  if ('instant' in moment) expect(parseInstant(moment.instant)).toBeDefined()
  else if ('local' in moment) expect(parseInstant(`${moment.local}Z`)).toBeDefined()
  else expect(moment.afterDeparture).toBeGreaterThan(0)
}

describe('a mangled file', () => {
  test.each(samples)('of %s (%s) is parsed row by row or rejected', (format, sample) => {
    const random = seeded(sample.length * 7919)
    const bytes = Buffer.from(sampleBytes(sample))
    let read = 0
    for (let round = 0; round < ROUNDS; round++) {
      const mangled = mangles[round % mangles.length]!(bytes, random)
      if (check(format, () => fileText(mangled)) === 'read') read++
    }
    expect(read).toBeGreaterThan(0)
  })

  test('of any format is detected or rejected, and can be passed to every parser', () => {
    const random = seeded(42)
    for (let round = 0; round < ROUNDS; round++) {
      const [, sample] = samples[random(samples.length)]!
      const mangled = mangles[random(mangles.length)]!(Buffer.from(sampleBytes(sample)), random)
      check(formatNames[random(formatNames.length)]!, () => fileText(mangled))
      try {
        expect(formatNames).toContain(detectFormat(contentOf(fileText(mangled))))
      } catch (error) {
        if (!(error instanceof UnreadableFile)) throw error
      }
    }
  })

  test('of random bytes is rejected', () => {
    const random = seeded(7)
    for (const format of formatNames) {
      const bytes = Buffer.from(Array.from({ length: 2000 }, () => random(256)))
      expect(check(format, () => fileText(bytes))).toBe('unreadable')
      expect(check(format, () => bytes.toString('latin1'))).toBe('unreadable')
    }
  })
})

describe('a large file', () => {
  const timed = (what: string, work: () => void) => {
    const start = performance.now()
    work()
    process.stdout.write(`${what}: ${Math.round(performance.now() - start)} ms\n`)
  }

  test.each(samples.filter(([, sample]) => sample.endsWith('.csv')))(
    'of %s with 20 000 rows is parsed quickly',
    (format, sample) => {
      const [header, first, ...rest] = fileText(sampleBytes(sample)).split(/\r?\n/)
      const row = first!.split('"').length % 2 === 1 ? first : `${first}\n${rest[0]}`
      const text = [header, ...Array.from({ length: 20_000 }, () => row)].join('\n')
      timed(`20 000 rows of ${format}`, () => {
        const rows = [...parse(format, text).rows]
        expect(rows).toHaveLength(20_000)
        expect(rows.at(-1)).toHaveProperty('flight')
      })
    },
  )

  test('of 20 000 rejected rows is parsed quickly', () => {
    const text = `date,from,to,miles,flightnum\n${'2020-02-30,ZRH,GVA,,\n'.repeat(20_000)}`
    timed('20 000 rejected rows', () => expect([...parse('jetlovers', text).rows]).toHaveLength(20_000))
  })

  test('with cells of megabytes has short reasons', () => {
    const huge = [
      ' '.repeat(1e6),
      'x'.repeat(1e6),
      '('.repeat(1e6),
      '/'.repeat(1e6),
      '1'.repeat(1e6),
      `a${' '.repeat(1e6)}b`,
    ]
    for (const [format, sample] of samples.filter(([, name]) => name.endsWith('.csv'))) {
      const header = fileText(sampleBytes(sample)).split(/\r?\n/, 1)[0]!
      const semicolons = header.includes(';')
      const width = header.split(semicolons ? ';' : ',').length
      for (const cell of huge) {
        const body = Array.from({ length: width }, (_, index) => (index % 3 === 0 ? cell : '1')).join(
          semicolons ? ';' : ',',
        )
        expect(check(format, () => `${header}\n${body}`)).toBe('read')
      }
    }
    for (const cell of huge) {
      check('backup', () =>
        JSON.stringify({
          flights: [
            { date: cell, from: cell, to: cell },
            { date: '2020-01-02', from: cell },
          ],
        }),
      )
      check('tripit', () => `BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:LX1 ZRH to GVA${cell}\nDTSTART:${cell}\nEND:VEVENT`)
      check('tripit', () => `BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY:LX1 ZRH to GVA\nDTSTART:${cell}\nEND:VEVENT`)
      check('appintheair', () => `Ownership.${cell}\nflights:\n${cell};${cell}\n`)
    }
  })

  test('of too many tiny rows is rejected', () => {
    const header = 'date,from,to,miles,flightnum\n'
    timed('tiny rows', () => {
      expect(() => parse('jetlovers', header + 'a\n'.repeat(6e5))).toThrow('The file has more than 50000 rows.')
      expect(() => parse('backup', `{"flights":[${'1,'.repeat(6e5)}1]}`)).toThrow(UnreadableFile)
      expect(() => parse('milesandmore', `{"SegmentListResponses":[${'1,'.repeat(6e5)}1]}`)).toThrow(UnreadableFile)
      expect(() => parse('appintheair', `Ownership.MINE\nflights:\n${'1\n'.repeat(6e5)}`)).toThrow(UnreadableFile)
    })
  })

  test('of quotation marks is parsed in linear time', () => {
    const header = 'date,from,to,miles,flightnum\n'
    const bodies = [
      `"${'"a'.repeat(1e6)}${' '.repeat(1e6)},x"\n`,
      '"'.repeat(4e6),
      '"a"b'.repeat(1e6),
      '"a" \n'.repeat(1e4),
      '"a"b\n'.repeat(1e4),
    ]
    timed('quotation marks', () => {
      for (const body of bodies) check('jetlovers', () => header + body)
    })
  })

  test('of deeply nested JSON is parsed or rejected', () => {
    const deep = '['.repeat(1e6) + ']'.repeat(1e6)
    check('backup', () => `{"flights":[{"date":"2020-01-02","from":"ZRH","to":"GVA","note":${deep}}]}`)
    check('backup', () => `{"flights":${deep}}`)
    check('milesandmore', () => `{"SegmentListResponses":[{"__proto__":${deep}}]}`)
  })
})
