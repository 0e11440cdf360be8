import { afterAll, beforeAll, expect, test } from 'vitest'
import { postgresClient } from '../../src/db/postgres/client.ts'
import { lexemesOf } from '../../src/domain/flights/query/text-candidates.ts'
import { fold, words } from '../../src/lib/text.ts'
import { type Paxlog, paxlog } from '../support/paxlog.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { SEED, seeded } from '../support/random.ts'

import { report } from '../support/travel.ts'

const TEXTS = 10_000
const BATCH = 500

let postgres: PostgresServer
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres?.stop())

async function newApp(name: string): Promise<Paxlog> {
  const administration = postgresClient(postgres.url('postgres'), { name: '' })
  administration.exec(`create database ${name}`)
  administration.close()
  return paxlog({ databaseUrl: postgres.url(name) })
}

const PIECES = [
  ...[
    'a',
    'king',
    'Fisher',
    'ZÜRICH',
    'İstanbul',
    'ı',
    'Straße',
    'ẞ',
    'ﬁsh',
    'ǅ',
    'Å',
    'ﷺ',
    'K',
    '™',
    'ª',
    '½',
    '❶',
    '①',
    'ǽ',
    'Ǿ',
  ],
  ...[
    'Ωμέγα',
    'ΌΣΟΣ',
    'όσος',
    'ϲ',
    'Їжак',
    'Ёлка',
    'Ѐ',
    'ابجد',
    'مُحَمَّد',
    'עִבְרִית',
    'हिन्दी',
    'ไทย',
    '한국',
    '漢字',
    'カタカナ',
    'ｶﾞ',
    'が',
    '㍿',
  ],
  ...[
    '\u0301',
    '\u0483',
    '\u1ab0',
    '\u20d0',
    '\u3099',
    '\ufe0f',
    '\u200d',
    '\u00ad',
    '\u02bc',
    '😀',
    '🇨🇭',
    '👍🏽',
    '\u{10ffff}',
    '\u{1ccd6}',
    '𝐀',
    '𞤀',
  ],
  ...[' ', ' ', ' ', '-', '’', '–', '.', "'", '\\', '~', '\t', '\n', '・', '、', '1', '٣', 'x'.repeat(120)],
]

test('the index narrows to every text that a word matches', async () => {
  report(`random texts: PAXLOG_TEST_SEED=${SEED}`)
  const random = seeded(SEED)
  const { db } = await newApp('words')
  const anyCharacter = () => String.fromCodePoint(random.between(1, 0x2ffff))
  const find = db.$client
    .prepare(
      `select wanted.key from json_texts(?) wanted join json_texts(?) text on text.key = wanted.key
       where not flight_words(null, null, text.value) @@ wanted.value::tsquery`,
    )
    .pluck()
  let checked = 0
  for (let done = 0; done < TEXTS; done += BATCH) {
    const pairs: { text: string; word: string; lexemes: string }[] = []
    for (let count = 0; count < BATCH; count++) {
      const pieces = Array.from({ length: random.between(1, 8) }, () =>
        random.chance(0.2) ? anyCharacter() : random.pick(PIECES),
      )
      const text = pieces.join('').toWellFormed()
      for (const whole of words(fold(text))) {
        const letters = [...whole]
        const word = letters.slice(0, random.between(1, Math.min(letters.length, 100))).join('')
        const lexemes = lexemesOf(word)
        if (lexemes !== undefined) pairs.push({ text, word, lexemes })
      }
    }
    const missed = find.all(
      JSON.stringify(pairs.map(({ lexemes }) => lexemes)),
      JSON.stringify(pairs.map(({ text }) => text)),
    ) as number[]
    expect(missed.map((index) => pairs[index])).toEqual([])
    checked += pairs.length
  }
  expect(checked).toBeGreaterThan(TEXTS / 2)
})
