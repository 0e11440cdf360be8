import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operator } from '../../../src/access/caller.ts'
import { closeDatabase, type Db, openDatabase } from '../../../src/db/open.ts'
import { createServices, type Services } from '../../../src/services.ts'
import { seeded } from '../../support/random.ts'

interface Row {
  id: number
  name: string
  municipality?: string | null
  icao: string | null
  iata?: string | null
  country?: string
  type?: string
}

interface Folded {
  row: Row
  /** Each text between two NUL characters, which no text holds. */
  texts: string
  codes: string
  country: string | undefined
  order: number
  name: string
}

const TYPES = ['large_airport', 'medium_airport', 'small_airport', 'seaplane_base', 'balloonport', 'heliport', 'closed']
const LETTERS: Record<string, string> = { ø: 'o', ł: 'l', đ: 'd', ð: 'd', ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th' }

/** Contract 4.10 word for word, one character after the other; what decomposes into capitals (™) is lower-cased too. */
const plainly = (text: string) =>
  [...text.toLowerCase().normalize('NFKD').toLowerCase()]
    .map((letter) => (/\p{M}/u.test(letter) ? '' : (LETTERS[letter] ?? letter)))
    .join('')

let [known, pattern] = ['', /x/u]
function wordStart(query: string): RegExp {
  if (query !== known) [known, pattern] = [query, new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(query)}`, 'u')]
  return pattern
}

function rankOf({ codes, texts, country }: Folded, query: string): number {
  if (codes.includes(`\0${query}`)) return codes.includes(`\0${query}\0`) ? 1 : 2
  if (texts.includes(query)) return wordStart(query).test(texts) ? 3 : 4
  return country === query ? 5 : 6
}

const between = (texts: string[]) => `\0${texts.join('\0')}\0`

const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

let db: Db
let folder: string
let services: Services
const tables: Record<'airports' | 'airlines' | 'aircraft', Folded[]> = { airports: [], airlines: [], aircraft: [] }
type Kind = keyof typeof tables

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paxlog-test-'))
  db = openDatabase(folder)
  db.$client.pragma('synchronous = off')
  services = createServices({ db })
  services.reference.loadShipped()
  const airport = {
    latitude: 0,
    longitude: 0,
    timezone: 'UTC',
    type: 'closed',
    continent: 'EU',
    country: 'CH',
    iata: null,
    municipality: null,
  } as const
  for (const [index, name] of [
    'Straße 5%',
    'Ærø_Field',
    'Œuvre “Łódź”',
    "O'Hare ''",
    'Þingvellir Đak Ðak ıIİ',
    'ＺＵＲＩＣＨ 🛫 City',
    'tab\tin\nname',
    'Schön™ 10²',
  ].entries()) {
    services.reference.airports.create(operator, { ...airport, icao: `ZZ-${index}`, name })
  }
  // Rows of the instance that stand between shipped ones in every rank.
  const shipped = db.$client.prepare('select name, iata, country, municipality from airports where id % 2000 = 7').all()
  for (const [index, row] of (
    shipped as Pick<Required<Row>, 'name' | 'iata' | 'country' | 'municipality'>[]
  ).entries()) {
    const type = TYPES[index % TYPES.length] as 'closed'
    services.reference.airports.create(operator, { ...airport, ...row, icao: `ZX-${index}`, type })
  }
  for (const name of ['New York', 'Zurich', 'Airport', 'Københavns', 'a']) {
    services.reference.airports.create(operator, {
      ...airport,
      icao: `ZY${name.slice(0, 2).toUpperCase()}`.replace('Ø', 'O'),
      name,
      type: name.startsWith('K') ? 'closed' : 'medium_airport',
    })
  }
  services.reference.airlines.create(operator, { name: 'Sternchen', icao: null, iata: 'Q9*' })
  services.reference.airlines.create(operator, { name: 'Air', icao: 'AIR', iata: 'LX' })
  services.reference.aircraft.create(operator, { name: 'Airbus', icao: 'A320' })
  for (const kind of Object.keys(tables) as Kind[]) {
    const rows = db.$client.prepare(`select * from ${kind}`).all() as Row[]
    const folded = rows.map((row) => ({
      row,
      name: plainly(row.name),
      texts: between([row.name, row.municipality].map((text) => plainly(text ?? ''))),
      codes: between([row.icao, row.iata].map((code) => plainly(code?.replace('*', '') ?? ''))),
      country: row.country?.toLowerCase(),
      order: kind === 'airports' ? TYPES.indexOf(row.type!) : kind === 'airlines' ? Number(!row.iata) : 0,
    }))
    tables[kind] = folded.sort((a, b) => a.order - b.order || byCodePoint(a.name, b.name) || a.row.id - b.row.id)
  }
})

afterAll(() => {
  services.credentials.close()
  closeDatabase(db)
  rmSync(folder, { recursive: true, force: true })
})

/** The ten best by trying every row; the tables stand in the order within a rank. */
function naive(kind: Kind, text: string): number[] {
  const query = plainly(text.trim())
  if (query === '' || query.includes('\0')) return []
  const ranks: number[][] = [[], [], [], [], [], [], []]
  for (const folded of tables[kind]) ranks[rankOf(folded, query)]!.push(folded.row.id)
  return ranks.slice(1, 6).flat().slice(0, 10)
}

async function expectLikeNaive(kind: Kind, query: string): Promise<void> {
  const found = (await services.reference[kind].search(operator, query)).map(({ id }) => id)
  expect(found, `${kind}: ${JSON.stringify(query)}`).toEqual(naive(kind, query))
}

describe('searches of the shipped data (contract 4.10)', () => {
  test.each(['zurich', 'kobenhavn', 'são paulo', 'Zürich', 'KØBENHAVN'])(
    '%s, typed letter by letter, ranks as a search of every row does',
    async (word) => {
      for (let length = 1; length <= word.length; length++) await expectLikeNaive('airports', word.slice(0, length))
    },
  )

  test.each([
    [
      'airports',
      [
        'zrh',
        'LSZH',
        'lsz',
        'us',
        'CH',
        'xk',
        'new york',
        "o'hare",
        "''",
        '%',
        '_',
        '5%',
        '_f',
        '%%',
        '"',
        '\\',
        '*',
        '(',
        ')',
        '[',
        '.',
        '-',
        ' - ',
        '🛫',
        'ＺＵＲＩＣＨ',
        'strasse',
        'straße',
        'aero',
        'ærø',
        'lodz',
        'œuvre',
        'oeuvre',
        'thing',
        'dak',
        'iii',
        'tab\tin',
        'in\nname',
        'b\ti',
        'schontm',
        '102',
        '東京',
        'москва',
        'qѳ',
        'a',
        'ab',
        'é',
        '1',
        '0',
        'airport',
        'international airport',
        'heliport',
        'ＣＨ',
        'x'.repeat(100),
      ],
    ],
    [
      'airlines',
      ['lx', 'swr', 'swiss', 'a', 'air', 'q9', 'q9*', 'sternchen', 'luft', 'us', 'zz', '*', 'ærø', 'é', '%', '1'],
    ],
    ['aircraft', ['a320', 'a3', 'airbus', 'bus', '320', 'boeing 737', 'b', '%', 'us', '-8', 'max']],
  ] as const)('%s: chosen queries rank as a search of every row does', async (kind, queries) => {
    for (const query of queries) await expectLikeNaive(kind, query)
  })

  test.each([
    ['airports', 120],
    ['airlines', 150],
    ['aircraft', 100],
  ] as const)(
    '%s: %i queries made of the data rank as a search of every row does',
    async (kind, count) => {
      const { pick, below } = seeded(count)
      for (let times = 0; times < count; times++) {
        const { row } = pick(tables[kind])
        const text = pick([
          row.name,
          row.municipality ?? row.name,
          row.icao ?? row.name,
          row.iata ?? row.name,
          row.country ?? row.name,
        ])
        const start = below(3) === 0 ? below(text.length) : 0
        const piece = text.slice(start, start + 1 + below(8))
        const query = pick([piece, piece.toUpperCase(), piece.toLowerCase(), plainly(piece), ` ${piece} `, text])
        await expectLikeNaive(kind, query)
      }
    },
    60_000,
  )

  test('find what people type', async () => {
    const first = async (query: string) => (await services.reference.airports.search(operator, query))[0]
    expect(await first('zurich')).toMatchObject({ iata: 'ZRH' })
    expect(await first('kobenhavn')).toMatchObject({ country: 'DK' })
    expect(await first('são paulo')).toMatchObject({ country: 'BR' })
    expect(await first('jfk')).toMatchObject({ icao: 'KJFK' })
  })

  test('N8: SQL in a query finds nothing and harms nothing', async () => {
    const count = () => db.$client.prepare('select count(*) from airports').pluck().get()
    const before = count()
    for (const query of ["' or 1=1 --", '"; drop table airports; --', 'name MATCH "a*"', 'a NEAR b', '{{x}}']) {
      expect(await services.reference.airports.search(operator, query)).toEqual([])
    }
    expect(count()).toBe(before)
  })
})
