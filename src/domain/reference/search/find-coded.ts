import {
  between,
  type Entries,
  entriesHolding,
  entriesNamed,
  entriesWithWords,
  type Hit,
  hits,
  type IsGone,
} from './find.ts'
import type { Packed } from './packed.ts'
import type { Query } from './query.ts'

/** Entries with all words of the query, separately or joined: "Viet Jet", "DA-40". */
function entriesWithEvery(packed: Packed, query: Query, every: Buffer[]): Entries {
  const { next, from, to } = entriesWithWords(packed, { ...query, words: every, commonWords: [] })
  if (query.typed.length < 2) return { next, from, to }
  packed.held.fill(0)
  for (let entry = next(from); entry !== -1; entry = next(entry + 1)) packed.held[entry] = 1
  packed.holdWhole(Buffer.from(query.joined), 0)
  return { next: (start) => packed.held.indexOf(1, start), from, to }
}

/** Entries with a model that has all these words: "Challenger 604", "G550". */
function entriesWithModel(packed: Packed, words: readonly Buffer[]): Entries {
  const { marks, size } = packed
  marks.fill(0)
  let stage = 0
  for (const word of words) if (!packed.markModel(word, stage++)) break
  return { next: (from) => marks.indexOf(stage, from), from: 0, to: size }
}

const codedRank = { code: 1, codeBegins: 2, wholeName: 3, joinedName: 4, words: 5, inside: 6, carrier: 7, model: 8 }

/** At most ten airlines or aircraft types. */
export function findCoded(packed: Packed, query: Query, isGone: IsGone): Hit[] {
  const { add, addBest, isFull, list } = hits(packed, query, isGone)
  const { bytes, words, commonWords } = query
  // A star after a code is ignored.
  const code = query.folded.length > 1 && query.folded.endsWith('*') ? bytes.subarray(0, -1) : bytes
  for (const [entry] of packed.withCode(code)) add(entry, codedRank.code)
  // Codes with a hyphen or space: "F-16", "DC 3", "A-320".
  if (query.typed.length > 1)
    for (const [entry] of packed.withCode(Buffer.from(query.joined))) add(entry, codedRank.code)
  packed.marks.fill(0)
  packed.markCodes(code, 1)
  addBest(codedRank.codeBegins, { next: (from) => packed.marks.indexOf(1, from), from: 0, to: packed.size })
  if (isFull() || words.length === 0) return list()
  const asNames = { ...query, names: [...query.names, query.joined] }
  for (const entry of entriesNamed(packed, asNames)) add(entry, codedRank.wholeName)
  for (const entry of entriesNamed(packed, asNames, true)) add(entry, codedRank.joinedName)
  const every = [...words, ...commonWords]
  addBest(codedRank.words, entriesWithEvery(packed, query, every))
  if (!isFull()) addBest(codedRank.inside, entriesHolding(packed, query), (entry) => packed.holds(entry, bytes))
  // "Emirates Airlines" finds Emirates, after entries with every word.
  const { carrier } = query
  if (!isFull() && carrier.length > 0 && carrier.length < words.length + commonWords.length) {
    const known = entriesWithWords(packed, { ...query, words: carrier, commonWords: [] })
    addBest(codedRank.carrier, between(known, 0, packed.withoutUse))
  }
  if (!isFull()) addBest(codedRank.model, entriesWithModel(packed, every))
  if (!isFull() && query.typed.length > 1)
    addBest(codedRank.model, entriesWithModel(packed, [Buffer.from(query.joined)]))
  return list()
}
