import { LRUCache } from 'lru-cache'
import { RE2JS } from 're2js'

/** Bounds the time of a match: it grows with the length of the text times this. */
const MOST_STEPS = 250

/** Back-references by name and halves of characters: the safe engine takes them for something else without a word. */
const MISREAD = /\\k<|\\u\{?0*d[89a-f]/i

/** At most 4 MiB: a pattern with `MOST_STEPS` takes 64 KiB. */
const compiled = new LRUCache<string, RE2JS>({ max: 64 })

/** A pattern of an administrator, on an engine that never backtracks; undefined when it cannot be used. */
export function safePattern(source: string): RE2JS | undefined {
  const known = compiled.get(source)
  if (known) return known
  if (MISREAD.test(source.replaceAll('\\\\', ''))) return undefined
  try {
    // JavaScript decides what the pattern means, the safe engine whether it can be run.
    new RegExp(source, 'u')
    const pattern = RE2JS.compile(RE2JS.translateRegExp(source))
    if (pattern.programSize() > MOST_STEPS) return undefined
    compiled.set(source, pattern)
    return pattern
  } catch {
    // Both engines say "not a pattern of mine" only by throwing.
    return undefined
  }
}

/** A value of the greatest length against the largest pattern, or as much in smaller ones: some fifty milliseconds. */
const STEPS_A_REQUEST = MOST_STEPS * 10_000

/** Undefined when the budget does not allow to look. */
export type Match = (source: string, text: string) => boolean | undefined

/** Matches texts as long as its budget of steps lasts; one for each request. */
export function matchWithin(steps = STEPS_A_REQUEST): Match {
  let left = steps
  return (source, text) => {
    const pattern = safePattern(source)
    if (!pattern) return false
    left -= pattern.programSize() * (text.length + 1)
    return left < 0 ? undefined : pattern.matcher(text).find()
  }
}
