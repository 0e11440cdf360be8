import { fold, words } from '../../../lib/text.ts'
import { isCommonInAirlines, isCommonInQuery, isPlaceKind, withoutApostrophes } from './texts.ts'

export interface Query {
  folded: string
  typed: string[]
  /** The longest first, without prefixes of other words. */
  words: string[]
  /** Optional words for airports with routes, like "airport". */
  commonWords: string[]
  /** Without common words. */
  significant: string[]
  /** Without words like "airlines". */
  carrier: string[]
  /** Without spaces, for "Egypt Air" and "Sun Express". */
  joined: string
  /** Without words like "island" and "city"; empty if there are none. */
  shortName: string
  /** With and without common words, and without apostrophes: "Sana'a". */
  names: string[]
}

function needed(list: readonly string[]): string[] {
  const longestFirst = [...new Set(list)].sort((a, b) => b.length - a.length)
  return longestFirst.filter((word, index) => !longestFirst.slice(0, index).some((longer) => longer.startsWith(word)))
}

/** Undefined if nothing can be found. */
export function readQuery(text: string): Query | undefined {
  const folded = fold(text.trim())
  if (folded === '' || folded.includes('\0')) return undefined
  const all = words(folded)
  const significant = all.filter((word, index) => !isCommonInQuery(word, index, all.length))
  const common = significant.length === 0 ? [] : all.filter((word, index) => isCommonInQuery(word, index, all.length))
  return {
    folded,
    typed: all,
    words: needed(significant.length === 0 ? all : significant),
    commonWords: needed(common),
    significant,
    carrier: needed(all.filter((word) => !isCommonInAirlines(word))),
    joined: all.join(''),
    shortName: significant.some(isPlaceKind) ? significant.filter((word) => !isPlaceKind(word)).join(' ') : '',
    names: [...new Set([all.join(' '), significant.join(' '), words(withoutApostrophes(folded)).join(' ')])].filter(
      Boolean,
    ),
  }
}
