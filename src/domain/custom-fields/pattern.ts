import { LRUCache } from 'lru-cache'
import { RE2JS } from 're2js'

/** The time of a match is proportional to this times the length of the text. */
const MAX_PROGRAM_SIZE = 250

/** RE2 silently misinterprets named back-references and surrogates. */
const MISINTERPRETED = /\\k<|\\u\{?0*d[89a-f]/i

/** At most 4 MiB: the largest pattern takes 64 KiB. */
const compiled = new LRUCache<string, RE2JS>({ max: 64 })

/** Compiles a pattern for an engine without backtracking; undefined if it is invalid or too large. */
export function safePattern(source: string): RE2JS | undefined {
  const known = compiled.get(source)
  if (known) return known
  if (MISINTERPRETED.test(source.replaceAll('\\\\', ''))) return undefined
  try {
    // JavaScript defines the syntax, RE2 whether it can run.
    new RegExp(source, 'u')
    const pattern = RE2JS.compile(RE2JS.translateRegExp(source))
    if (pattern.programSize() > MAX_PROGRAM_SIZE) return undefined
    compiled.set(source, pattern)
    return pattern
  } catch {
    return undefined
  }
}

/** About 50 ms for the longest value and the largest pattern. */
const STEPS_PER_REQUEST = MAX_PROGRAM_SIZE * 10_000

export type Match = (source: string, text: string) => boolean | undefined

/** Create one per request, so that all matches share a budget of steps. */
export function matchWithin(steps = STEPS_PER_REQUEST): Match {
  let remaining = steps
  return (source, text) => {
    const pattern = safePattern(source)
    if (!pattern) return false
    remaining -= pattern.programSize() * (text.length + 1)
    return remaining < 0 ? undefined : pattern.matcher(text).find()
  }
}
