import { fold, words } from '../../../lib/text.ts'
import { isOfAirlines, isPlaceKind, isSaidAnyway, withoutApostrophes } from './texts.ts'

export interface Query {
  /** Folded, without the space around it. */
  folded: string
  bytes: Buffer
  /** All words as they were typed. */
  typed: Buffer[]
  /** Each word once, the longest first; one that begins another is implied by it. */
  words: Buffer[]
  /** Words that may be missing from an airport with routes, since they say nothing. */
  commonWords: Buffer[]
  /** The words that say something, as they were typed. */
  telling: string[]
  /** The same without the words that are said of nearly every airline. */
  carrier: Buffer[]
  /** The query written as one word: "Egypt Air", "Sun Express". */
  joined: string
  /** The query without what kind of place it is: "Jeju Island", "Davao City"; empty where it says no such thing. */
  shortName: string
  /** The query as a name, with and without the words that say nothing, and without apostrophes: "Sana'a". */
  names: string[]
}

function needed(list: readonly string[]): Buffer[] {
  const longestFirst = [...new Set(list)].sort((a, b) => b.length - a.length)
  return longestFirst
    .filter((word, index) => !longestFirst.slice(0, index).some((longer) => longer.startsWith(word)))
    .map((word) => Buffer.from(word))
}

/** A text of at most a hundred characters as it is searched; undefined when nothing can be found. */
export function readQuery(text: string): Query | undefined {
  const folded = fold(text.trim())
  if (folded === '' || folded.includes('\0')) return undefined
  const all = words(folded)
  const telling = all.filter((word, index) => !isSaidAnyway(word, index, all.length))
  const common = telling.length === 0 ? [] : all.filter((word, index) => isSaidAnyway(word, index, all.length))
  return {
    folded,
    bytes: Buffer.from(folded),
    typed: all.map((word) => Buffer.from(word)),
    words: needed(telling.length === 0 ? all : telling),
    commonWords: needed(common),
    telling,
    carrier: needed(all.filter((word) => !isOfAirlines(word))),
    joined: all.join(''),
    shortName: telling.some(isPlaceKind) ? telling.filter((word) => !isPlaceKind(word)).join(' ') : '',
    names: [...new Set([all.join(' '), telling.join(' '), words(withoutApostrophes(folded)).join(' ')])].filter(
      Boolean,
    ),
  }
}
