import { words } from '../../../lib/text.ts'
import type { SearchIndex } from './index.ts'
import type { Query } from './query.ts'

const MIN_LENGTH = 4
const MIN_LENGTH_FOR_TWO_EDITS = 6

const maxEdits = (text: string): number =>
  text.length < MIN_LENGTH ? 0 : text.length < MIN_LENGTH_FOR_TWO_EDITS ? 1 : 2

/** One bit per letter. Each edit changes at most two. */
function lettersOf(text: string): number {
  let bits = 0
  for (let at = 0; at < text.length; at++) bits |= 1 << (text.charCodeAt(at) & 31)
  return bits
}

function countBits(bits: number): number {
  let count = 0
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++
  return count
}

/** Insertions, deletions, replacements and swaps of neighbours between two texts; more than `limit` if there are more. */
export function editsBetween(a: string, b: string, limit: number): number {
  let [before, last, row]: number[][] = [[], Array.from({ length: b.length + 1 }, (_, at) => at), []]
  for (let i = 1; i <= a.length; i++) {
    row = [i]
    let least = i
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1]
      let edits = Math.min(last![j]! + 1, row[j - 1]! + 1, last![j - 1]! + Number(!isSame))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) edits = Math.min(edits, before![j - 2]! + 1)
      row[j] = edits
      least = Math.min(least, edits)
    }
    if (least > limit) return least
    ;[before, last] = [last, row]
  }
  return last![b.length]!
}

/** Terms with the first entry that has them, which is the busiest one. */
function vocabulary(terms: Iterable<[term: string, entry: number]>) {
  const known = [...terms].map(([text, entry]) => ({ text, letters: lettersOf(text), entry }))
  const byLength = Map.groupBy(known, ({ text }) => text.length)

  /** The term with the fewest edits, of several the busiest one. */
  return function closest(text: string): string | undefined {
    const limit = maxEdits(text)
    if (limit === 0) return undefined
    const letters = lettersOf(text)
    let best: { text: string; edits: number; entry: number } | undefined
    for (let length = text.length - limit; length <= text.length + limit; length++)
      for (const term of byLength.get(length) ?? []) {
        if (countBits(term.letters ^ letters) > 2 * limit) continue
        const edits = editsBetween(text, term.text, limit)
        if (edits > limit) continue
        if (!best || edits < best.edits || (edits === best.edits && term.entry < best.entry))
          best = { text: term.text, edits, entry: term.entry }
      }
    return best?.text
  }
}

/** Corrects queries by the names of rows with routes. */
export function spellingCorrector(index: SearchIndex) {
  const inUse = (kind: 'name' | 'word') => index.termsOf(kind).filter(([, entry]) => entry < index.withoutUse)
  const closestName = vocabulary(inUse('name'))
  const closestWord = vocabulary(inUse('word'))

  /** Corrects each word that is not a prefix of an indexed word. */
  function correctWords(list: readonly string[]): string | undefined {
    const corrected = list.map((word) => (index.entriesWithPrefix('word', word).length > 0 ? word : closestWord(word)))
    return corrected.includes(undefined) ? undefined : corrected.join(' ')
  }

  return ({ significant, folded }: Query): string | undefined => {
    const list = significant.length > 0 ? significant : words(folded)
    return closestName(list.join(' ')) ?? correctWords(list)
  }
}
