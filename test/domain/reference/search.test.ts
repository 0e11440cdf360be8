import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operator } from '../../../src/access/caller.ts'
import { closeDatabase, type Db, openDatabase } from '../../../src/db/open.ts'
import { shippedIndex } from '../../../src/domain/reference/search/shipped-index.ts'
import { cityOf, isCommon, spellings } from '../../../src/domain/reference/search/texts.ts'
import { createServices, type Services } from '../../../src/services.ts'
import { seeded } from '../../support/random.ts'

interface Row {
  id: number
  source_id: string | null
  name: string
  municipality?: string | null
  icao: string | null
  iata?: string | null
  country?: string
  type?: string
}

interface Folded {
  row: Row
  /** Name and municipality, each between two NUL characters, which no text holds. */
  texts: string
  /** Every word of every name, each after a space. */
  words: string
  /** Whole names, where there are routes. */
  wholes: Set<string>
  codes: string[]
  otherCodes: string[]
  use: number
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

const wordsOf = (folded: string) => folded.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

let db: Db
let folder: string
let services: Services
const tables: Record<'airports' | 'airlines' | 'aircraft', Folded[]> = { airports: [], airlines: [], aircraft: [] }
type Kind = keyof typeof tables

function folded(kind: Kind, row: Row): Folded {
  const index = shippedIndex(kind)
  const entry = row.source_id === null ? undefined : index.entryOf(row.source_id)
  const known = entry === undefined ? undefined : { use: index.uses[entry]!, entry }
  const cities = [row.name, row.municipality ?? '', cityOf(row.municipality ?? '')]
  if (known) cities.push(...index.cityNames(known.entry))
  const whole = cities.flatMap(spellings)
  const others = (known ? index.otherNames(known.entry) : []).flatMap(spellings)
  const hasRoutes = kind === 'airports' && (known?.use ?? 0) > 0 && row.type !== 'closed'
  const telling = whole.map((list) => list.filter((word) => !isCommon(word)))
  const joined = hasRoutes ? telling.filter((list) => list.length > 1).map((list) => list.join('')) : []
  return {
    row,
    name: plainly(row.name),
    texts: ['', plainly(row.name), plainly(row.municipality ?? ''), ''].join('\0'),
    words: ['', ...whole.flat(), ...others.flat(), ...joined].join(' '),
    wholes: new Set(hasRoutes ? [...whole, ...telling].map((list) => list.join(' ')).concat(joined) : []),
    codes: [row.iata, row.icao].map((code) => plainly(code?.replace('*', '') ?? '')),
    otherCodes: known ? index.otherCodes(known.entry).map(plainly) : [],
    use: known?.use ?? 0,
    order: kind === 'airports' ? TYPES.indexOf(row.type!) : kind === 'airlines' ? Number(!row.iata) : 0,
  }
}

/** In which rank an airport stands; heliports and closed airports have ranks of their own behind the others. */
function airportRank(airport: Folded, query: string): number {
  const { codes, otherCodes, wholes, words, texts, use, order, row } = airport
  if (codes[0] === query) return 1
  if (codes[1] === query) return 2
  if (otherCodes.includes(query) && use > 0) return 3
  const typed = wordsOf(query)
  if (order < 5 && wholes.has(typed.join(' '))) return 4
  const behind = Math.max(order - 4, 0) * 10
  const all = [...codes, ...otherCodes]
  const hasWords = typed.length > 0 && typed.every((word) => words.includes(` ${word}`) || all.includes(word))
  if (hasWords || all.some((code) => code.startsWith(query))) return 5 + behind
  if (texts.includes(query)) return 6 + behind
  return row.country?.toLowerCase() === query ? 7 + behind : 99
}

function codedRank({ codes, otherCodes, words, texts }: Folded, query: string): number {
  const all = [...codes, ...otherCodes].filter(Boolean)
  const code = query.replace(/(?<=.)\*$/, '')
  if (all.includes(code)) return 1
  if (all.some((each) => each.startsWith(code))) return 2
  const typed = wordsOf(query)
  if (typed.length === 0) return 99
  if (typed.every((word) => words.includes(` ${word}`) || all.includes(word))) return 3
  return texts.includes(query) ? 4 : 99
}

/** The ten best by trying every row. */
function naive(kind: Kind, text: string): number[] {
  const query = plainly(text.trim())
  if (query === '' || query.includes('\0')) return []
  const rankOf = kind === 'airports' ? airportRank : codedRank
  const begins = ({ row }: Folded) => Number(plainly(row.municipality ?? '').startsWith(query))
  const found: { each: Folded; rank: number; begins: number }[] = []
  for (const each of tables[kind]) {
    const rank = rankOf(each, query)
    if (rank < 99) found.push({ each, rank, begins: begins(each) })
  }
  return found
    .sort(
      ({ each: a, ...one }, { each: b, ...other }) =>
        one.rank - other.rank ||
        b.use - a.use ||
        a.order - b.order ||
        other.begins - one.begins ||
        byCodePoint(a.name, b.name) ||
        a.row.id - b.row.id,
    )
    .slice(0, 10)
    .map(({ each }) => each.row.id)
}

const search = async (kind: Kind, query: string) => services.reference[kind].search(operator, query)

async function expectLikeNaive(kind: Kind, query: string): Promise<void> {
  const found = (await search(kind, query)).map(({ id }) => id)
  expect(found, `${kind}: ${JSON.stringify(query)}`).toEqual(naive(kind, query))
}

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
  services.reference.airlines.create(operator, { name: 'Sternchen', icao: null, iata: 'Q9*' })
  services.reference.airlines.create(operator, { name: 'Air', icao: 'AIR', iata: 'LX' })
  services.reference.aircraft.create(operator, { name: 'Airbus', icao: 'A320' })
  for (const kind of Object.keys(tables) as Kind[]) {
    const rows = db.$client.prepare(`select * from ${kind}`).all() as Row[]
    tables[kind] = rows.map((row) => folded(kind, row))
  }
}, 120_000)

afterAll(() => {
  services.credentials.close()
  closeDatabase(db)
  rmSync(folder, { recursive: true, force: true })
})

describe('searches of the shipped data (contract 4.10)', () => {
  test('rank as a search of every row does, letter by letter', async () => {
    for (const word of ['zuric', 'KØBEN', 'são p']) {
      for (let length = 1; length <= word.length; length++) await expectLikeNaive('airports', word.slice(0, length))
    }
  }, 120_000)

  test.each([
    [
      'airports',
      [
        ...['zrh', 'LSZH', 'lsz', 'us', 'CH', 'xk', 'new york', 'york new', 'zurich ZRH', '%', '_', '5%', '_f', '"'],
        ...['(', '-', ' - ', '🛫', 'strasse', 'ærø', 'lodz', 'oeuvre', 'thing', 'dak', 'tab\tin', 'in\nname'],
        ...['schontm', '102', '東京', 'москва', 'qѳ', 'a', 'ab', '1', 'urich', 'ondon heath', 'x'.repeat(100)],
      ],
    ],
    [
      'airlines',
      ['swiss', 'a', 'airl', 'q9*', 'sternchen', 'luft', 'air lines swiss', 'us', '*', 'é', '%', '1', 'hansa'],
    ],
    [
      'aircraft',
      ['a3', 'airbus', 'bus', '320', '738', '77w', 'e90', 'boeing 737', '737 boeing', 'b', '%', '-8', 'max'],
    ],
  ] as const)(
    '%s: chosen queries rank as a search of every row does',
    async (kind, queries) => {
      for (const query of queries) await expectLikeNaive(kind, query)
    },
    120_000,
  )

  test.each([
    ['airports', 25],
    ['airlines', 40],
    ['aircraft', 40],
  ] as const)(
    '%s: %i queries made of the data rank as a search of every row does',
    async (kind, count) => {
      const { pick, below } = seeded(count)
      for (let times = 0; times < count; times++) {
        const { row } = pick(tables[kind])
        // Whole names and cities of heliports and closed airports have a rule of their own.
        const text = pick([row.name, row.municipality ?? row.name, row.country ?? row.name])
        const start = below(3) === 0 ? below(text.length) : 0
        const piece = text.slice(start, start + 1 + below(Math.min(8, text.length - 1)))
        const query = pick([piece, piece.toUpperCase(), plainly(piece), ` ${piece} `])
        if (kind === 'airlines' && wordsOf(query).join('').length <= 3) continue
        if (plainly(query.trim()) !== plainly(row.municipality ?? '')) await expectLikeNaive(kind, query)
      }
    },
    120_000,
  )

  test('N8: SQL in a query is a row of words, and harms nothing', async () => {
    const count = () => db.$client.prepare('select count(*) from airports').pluck().get()
    const before = count()
    for (const query of ["' or 1=1 --", '"; drop table airports; --', 'name MATCH "a*"', '{{x}}']) {
      for (const { name, municipality, icao } of await services.reference.airports.search(operator, query)) {
        const words = wordsOf(plainly(query))
        const texts = ` ${plainly(`${name} ${municipality} ${icao}`)}`
        expect(words.every((word) => new RegExp(`(?<![a-z0-9])${word}`).test(texts))).toBe(true)
      }
    }
    expect(await search('airports', '"; drop table airports; --')).toEqual([])
    expect(count()).toBe(before)
  })
})

test('a code means the same carrier in a search, an import and the legacy API', async () => {
  const { codes } = services.reference
  const shared = db.$client
    .prepare(
      'select distinct iata from airlines where iata is not null union select distinct icao from airlines where icao in (select icao from airlines group by icao having count(*) > 1)',
    )
    .pluck()
    .all() as string[]
  expect(shared.length).toBeGreaterThan(1000)
  for (const code of shared) {
    const [first] = await search('airlines', code)
    expect([code, first?.id]).toEqual([code, codes.airline(code, 'icao') ?? codes.airline(code, 'iata')])
  }
}, 120_000)
