import { beforeAll, describe, expect, test } from 'vitest'
import { compareHits, findAirports, findCoded } from '../../../src/domain/reference/search/find.ts'
import { openIndex, type SearchIndex, type SearchRow, writeIndex } from '../../../src/domain/reference/search/index.ts'
import { shippedIndex } from '../../../src/domain/reference/search/indexes.ts'
import { readQuery } from '../../../src/domain/reference/search/query.ts'
import {
  cityOf,
  isCommon,
  isCommonInAirlines,
  isCommonInQuery,
  isPlaceKind,
  placesOf,
  spellings,
} from '../../../src/domain/reference/search/texts.ts'
import {
  iataAircraftCodes,
  readShippedAircraft,
  readShippedAirlines,
  readShippedAirports,
} from '../../../src/domain/reference/shipped.ts'
import { seeded } from '../../support/random.ts'

interface Folded {
  row: SearchRow
  /** Name and municipality, delimited by NUL characters. */
  texts: string
  /** Every word of every name, each preceded by a space. */
  words: string
  /** Full names of rows with routes. */
  fullNames: Set<string>
  /** Full names without spaces. */
  joinedNames: Set<string>
  /** Country and state of airports with routes or an IATA code. */
  places: string[]
  codes: string[]
  otherCodes: string[]
  use: number
  order: number
  name: string
}

const TYPES = [
  'large_airport',
  'medium_airport',
  'former',
  'small_airport',
  'seaplane_base',
  'balloonport',
  'heliport',
  'closed',
]
const LETTERS: Record<string, string> = { ø: 'o', ł: 'l', đ: 'd', ð: 'd', ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th' }

/** Implements contract 4.10 character by character. The second toLowerCase handles capitals from decomposition (™). */
const fold = (text: string) =>
  [...text.toLowerCase().normalize('NFKD').toLowerCase()]
    .map((letter) => (/\p{M}/u.test(letter) ? '' : (LETTERS[letter] ?? letter)))
    .join('')

const wordsOf = (folded: string) => folded.split(/[^\p{L}\p{N}]+/u).filter(Boolean)
const byCodePoint = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))

const tables: Record<'airports' | 'airlines' | 'aircraft', Folded[]> = { airports: [], airlines: [], aircraft: [] }
type Kind = keyof typeof tables
/** Every second row is in a second index, like custom rows of an instance. */
const indexes = {} as Record<Kind, [SearchIndex, SearchIndex]>

function folded(kind: Kind, row: SearchRow): Folded {
  const type = row.type === 'closed' && (row.iata || row.wasServed) ? 'former' : row.type
  const use = row.type === 'closed' ? 0 : row.use
  const whole = [row.name, row.municipality ?? '', cityOf(row.municipality ?? ''), ...row.cities].flatMap(spellings)
  const others = row.names.flatMap(spellings)
  const hasRoutes = use > 0 || (kind !== 'airports' && (row.cities.length > 0 || row.iata !== null))
  const distinctive = whole.map((list) => list.filter((word) => !isCommon(word)))
  const joined = hasRoutes ? distinctive.filter((list) => list.length > 1).map((list) => list.join('')) : []
  const pairs = (list: string[]) => list.flatMap((_, at) => [list.slice(at, at + 2), list.slice(at, at + 3)])
  const adjacentWords = whole.flatMap(pairs).filter((list) => list.length > 1 && list.join('').length <= 25)
  const joinedPairs = kind === 'airports' ? [] : adjacentWords.map((list) => list.join(''))
  return {
    row,
    name: fold(row.name),
    texts: ['', fold(row.name), fold(row.municipality ?? ''), ''].join('\0'),
    words: ['', ...whole.flat(), ...others.flat(), ...joined, ...joinedPairs, ''].join(' '),
    fullNames: new Set(hasRoutes ? [...whole, ...distinctive].map((list) => list.join(' ')) : []),
    joinedNames: new Set(joined.filter((name) => name.length <= 25)),
    places:
      type !== 'former' && TYPES.indexOf(type!) < 6 && (use > 0 || row.iata) ? placesOf(row.country, row.regions) : [],
    codes: [row.iata, row.icao].map((code) => fold(code?.replace('*', '') ?? '')),
    otherCodes: row.codes.map(fold),
    use,
    order: kind === 'airports' ? TYPES.indexOf(type!) : kind === 'airlines' ? Number(!row.iata) : 0,
  }
}

/** Splits words into a name and a place before or after it. */
function splits(words: readonly string[]): [name: string[], place: string][] {
  if (words.length > 8) return []
  return [1, 2, 3, 4].flatMap((length): [string[], string][] =>
    length >= words.length
      ? []
      : [
          [words.slice(0, -length), words.slice(-length).join(' ')],
          [words.slice(length), words.slice(0, length).join(' ')],
        ],
  )
}

/** Rank of an airport. Heliports and closed airports rank after the others. */
function airportRank(airport: Folded, query: string): number {
  const { codes, otherCodes, fullNames, joinedNames, words, texts, places, use, order, row } = airport
  const isCoded = codes.slice(0, 2).indexOf(query)
  if (isCoded >= 0 && use > 0 && order < 6) return isCoded + 1
  const typed = wordsOf(query)
  const isOptional = (word: string, place: number) => isCommonInQuery(word, place, typed.length)
  const distinctive = typed.filter((word, place) => !isOptional(word, place))
  const all = [...codes, ...otherCodes]
  const hasWord = (word: string) => words.includes(` ${word}`) || all.includes(word)
  const isNamedInPlace = ([name, place]: [string[], string]) =>
    Buffer.byteLength(place) >= 2 &&
    places.includes(place) &&
    (fullNames.has(name.join(' ')) || joinedNames.has(name.join(' ')))
  const variants = [typed.join(' '), wordsOf(query.replace(/['’‘ʻʼ`´]/g, '')).join(' ')]
  if (order < 6 && (variants.some((name) => fullNames.has(name)) || splits(distinctive).some(isNamedInPlace))) return 4
  const others = (code: string) => distinctive.filter((word) => word !== code)
  const isCodeWord = (word: string) => word.length === 3 && codes[0] === word && others(word).every(hasWord)
  if (typed.length > 1 && typed.some(isCodeWord)) return 4.2
  if (isCoded >= 0) return 4.5
  if (query.length === 3 && otherCodes.includes(query) && use > 0) return 4.7
  if (order < 6 && variants.some((name) => joinedNames.has(name))) return 5
  const isBusyOpen = use > 0 && order < 6
  if (isBusyOpen && query.length > 2 && places.includes(distinctive.join(' '))) return 5.1
  const hasPrefix = (name: string) => fullNames.values().some((whole) => whole.startsWith(name))
  const isLong = typed.length > 1 || query.length >= 4
  if (isBusyOpen && isLong && [...variants, distinctive.join(' ')].filter(Boolean).some(hasPrefix)) return 5.2
  const typePenalty = Math.max(order - 5, 0) * 20
  const wordRank = use > 0 && order < 6 ? 6 : 8
  const isBusy = use > 0 && order < 6 && !typed.every(isOptional)
  const has = (word: string, place: number) => hasWord(word) || (isBusy && isOptional(word, place))
  const hasWords = typed.length > 0 && typed.every(has)
  const short = distinctive.filter((word) => !isPlaceKind(word))
  const isShort = order < 6 && short.length < distinctive.length && fullNames.has(short.join(' '))
  if (hasWords || all.some((code) => code.startsWith(query)))
    return isShort ? Math.min(wordRank, 7) : wordRank + typePenalty
  const isPlaced = (isPlace: (text: string) => boolean) =>
    splits(distinctive).some(([name, place]) => isPlace(place) && name.every(hasWord))
  if (isPlaced((text) => Buffer.byteLength(text) >= 4 && places.includes(text)))
    return isShort ? Math.min(wordRank, 7) : wordRank
  if (isShort) return 7
  if (isPlaced((text) => Buffer.byteLength(text) >= 2 && places.some((place) => place.startsWith(text)))) return 9
  if (texts.includes(query)) return 10 + typePenalty
  const isCountry = /^[a-z]{2}$/.test(query)
    ? row.country?.toLowerCase() === query
    : places.includes(distinctive.join(' '))
  return isCountry ? 11 + typePenalty : 99
}

function codedRank({ codes, otherCodes, words, fullNames, joinedNames, texts, use }: Folded, query: string): number {
  const all = [...codes, ...otherCodes].filter(Boolean)
  const code = query.replace(/(?<=.)\*$/, '')
  if (all.includes(code)) return 1
  if (wordsOf(query).length > 1 && all.includes(wordsOf(query).join(''))) return 1
  if (all.some((candidate) => candidate.startsWith(code))) return 2
  const typed = wordsOf(query)
  if (typed.length === 0) return 99
  const variants = [typed.join(' '), typed.filter((word) => !isCommon(word)).join(' '), typed.join('')]
  variants.push(wordsOf(query.replace(/['’‘ʻʼ`´]/g, '')).join(' '))
  if (variants.some((name) => fullNames.has(name))) return 3
  if (variants.some((name) => joinedNames.has(name))) return 4
  const has = (word: string) => words.includes(` ${word}`) || all.includes(word)
  if (typed.every(has) || (typed.length > 1 && words.includes(` ${typed.join('')} `))) return 5
  if (texts.includes(query)) return 6
  const carrier = typed.filter((word) => !isCommonInAirlines(word))
  return use > 0 && carrier.length > 0 && carrier.every(has) ? 7 : 99
}

/** The ten best results of a search over every row. */
function naive(kind: Kind, text: string): string[] {
  const query = fold(text.trim())
  if (query === '' || query.includes('\0')) return []
  const rankOf = kind === 'airports' ? airportRank : codedRank
  const begins = ({ row }: Folded) => Number(fold(row.municipality ?? '').startsWith(query))
  const found: { candidate: Folded; rank: number; begins: number }[] = []
  for (const candidate of tables[kind]) {
    const rank = rankOf(candidate, query)
    if (rank < 99) found.push({ candidate, rank, begins: begins(candidate) })
  }
  return found
    .sort(
      ({ candidate: a, ...one }, { candidate: b, ...other }) =>
        one.rank - other.rank ||
        b.use - a.use ||
        a.order - b.order ||
        other.begins - one.begins ||
        byCodePoint(a.name, b.name) ||
        byCodePoint(a.row.key, b.row.key),
    )
    .slice(0, 10)
    .map(({ candidate }) => candidate.row.key)
}

function found(kind: Kind, text: string): string[] {
  const query = readQuery(text)
  if (!query) return []
  const find = kind === 'airports' ? findAirports : findCoded
  const hits = indexes[kind].flatMap((index) => find(index, query))
  return hits
    .sort((a, b) => compareHits(a, b) || byCodePoint(a.key, b.key))
    .slice(0, 10)
    .map(({ key }) => key)
}

const expectLikeNaive = (kind: Kind, query: string) =>
  expect(found(kind, query), `${kind}: ${JSON.stringify(query)}`).toEqual(naive(kind, query))

const PLAIN = {
  ...{ municipality: null, iata: null, country: null, type: null, use: 0 },
  ...{ codes: [], names: [], cities: [], regions: [] },
}

/** The busiest airports and a sample of the others, with the terms of the shipped index. */
function someAirports(): SearchRow[] {
  const index = shippedIndex('airports')
  const terms = new Map(
    [...index.uses].map((use, entry) => {
      const { key, codes, names, cities, regions } = index.rowOf(entry)
      return [key, { use, codes, names, cities, regions }]
    }),
  )
  return [...readShippedAirports()]
    .filter(({ type }, place) => place % 20 === 0 || type === 'large_airport')
    .map(({ sourceId: key, ...row }) => ({ ...row, key, ...terms.get(key)! }))
}

const odd = [
  'Straße 5%',
  'Ærø_Field',
  'Œuvre “Łódź”',
  'Þingvellir Đak Ðak ıIİ',
  'ＺＵＲＩＣＨ 🛫 City',
  'tab\tin\nname',
  'Schön™ 10²',
].map(
  (name, index): SearchRow => ({
    ...PLAIN,
    key: `odd-${index}`,
    name,
    icao: `ZZ-${index}`,
    country: 'CH',
    type: 'closed',
  }),
)

beforeAll(async () => {
  const iataCodes = Map.groupBy(iataAircraftCodes(), ([, icao]) => icao)
  const rows: Record<Kind, SearchRow[]> = {
    airports: [...someAirports(), ...odd],
    airlines: readShippedAirlines().map(({ sourceId: key, name, icao, iata, routes: use }) => ({
      ...PLAIN,
      ...{ key, name, icao, iata, use },
    })),
    aircraft: readShippedAircraft().map(({ sourceId: key, name, icao }) => ({
      ...PLAIN,
      ...{ key, name, icao, codes: (iataCodes.get(icao) ?? []).map(([iata]) => iata) },
    })),
  }
  for (const kind of Object.keys(tables) as Kind[]) {
    tables[kind] = rows[kind].map((row) => folded(kind, row))
    const half = async (rest: number) =>
      openIndex(await writeIndex(rows[kind].filter((_, place) => place % 2 === rest)))
    indexes[kind] = [await half(0), await half(1)]
  }
}, 300_000)

describe('searches of the shipped data (contract 4.10)', () => {
  test('rank like a naive search, for every prefix', () => {
    for (const word of ['zuric', 'KØBEN', 'são p']) {
      for (let length = 1; length <= word.length; length++) expectLikeNaive('airports', word.slice(0, length))
    }
  }, 300_000)

  test.each([
    [
      'airports',
      [
        ...['zrh', 'LSZH', 'lsz', 'us', 'CH', 'xk', 'new york', 'york new', 'zurich ZRH', '%', '_', '5%', '_f', '"'],
        ...['(', '-', ' - ', '🛫', 'strasse', 'ærø', 'lodz', 'oeuvre', 'thing', 'dak', 'tab\tin', 'in\nname'],
        ...['schontm', '102', '東京', 'москва', 'qѳ', 'a', 'ab', '1', 'urich', 'ondon heath', 'x'.repeat(100)],
        ...['london canada', 'canada london', 'london can', 'san jose costa rica', 'portland or', 'san ca', 'ohio'],
        ...['new south wales', 'airport of georgia', 'santiago de chile', 'united states', 'uk', 'york new usa'],
        ...[
          'wars',
          'spim',
          'boston ma',
          'us boston',
          'zurich ch',
          'a b c d e f g h canada',
          'uruguay',
          'mali',
          'san d',
          'st lou',
        ],
        ...[
          'new de',
          'rio de',
          'jeju island',
          'toronto island',
          'georgetown',
          "xi'an",
          'mexico city',
          'city',
          'airport of',
          'isle of man',
        ],
      ],
    ],
    [
      'airlines',
      [
        'swiss',
        'a',
        'airl',
        'q9*',
        'sternchen',
        'luft',
        'air lines swiss',
        'us',
        '*',
        'é',
        '%',
        '1',
        'hansa',
        'emirates airlines',
        'the airline',
        'egypt air',
        'airfrance',
        'sky west',
        'silk air',
        'flybe',
        'air',
      ],
    ],
    [
      'aircraft',
      [
        'a3',
        'airbus',
        'bus',
        '320',
        '738',
        '77w',
        'e90',
        'boeing 737',
        '737 boeing',
        'b',
        '%',
        '-8',
        'max',
        'fokker100',
        'da-40',
        '737max8',
      ],
    ],
  ] as const)(
    '%s: selected queries rank like a naive search',
    (kind, queries) => {
      for (const query of queries) expectLikeNaive(kind, query)
    },
    300_000,
  )

  test.each([
    ['airports', 25],
    ['airlines', 40],
    ['aircraft', 40],
  ] as const)(
    '%s: %i queries from the data rank like a naive search',
    (kind, count) => {
      const { pick, below } = seeded(count)
      for (let times = 0; times < count; times++) {
        const { row } = pick(tables[kind])
        // Full names and cities of heliports and closed airports follow a separate rule.
        const text = pick([row.name, row.municipality ?? row.name, row.country ?? row.name])
        const start = below(3) === 0 ? below(text.length) : 0
        const piece = text.slice(start, start + 1 + below(Math.min(8, text.length - 1)))
        const query = pick([piece, piece.toUpperCase(), fold(piece), ` ${piece} `])
        if (kind === 'airlines' && wordsOf(query).join('').length <= 3) continue
        if (fold(query.trim()) !== fold(row.municipality ?? '')) expectLikeNaive(kind, query)
      }
    },
    300_000,
  )
})
