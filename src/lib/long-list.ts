import { setImmediate as nextTurn } from 'node:timers/promises'

/** Read at a time: enough that slicing costs nothing, few enough that nobody waits. */
const SLICE_CHARACTERS = 32 * 1024

/** A list that is read in slices, because as a whole it would take more memory and time than others can spare. */
export interface LongList {
  slices: () => Iterable<unknown[]>
}

export const isLongList = (value: unknown): value is LongList =>
  typeof value === 'object' && value !== null && 'slices' in value && typeof value.slices === 'function'

/**
 * The JSON text of a list of numbers or truth values, or of lists of them, that is never parsed as a whole.
 * Such items hold no text, so that a comma between them cannot be anything else.
 */
export function longList(json: string): LongList {
  const between = json.startsWith('[[') ? '],[' : ','
  function* slices() {
    const end = json.length - 1
    for (let from = 1; from < end; ) {
      const found = json.indexOf(between, Math.min(from + SLICE_CHARACTERS, end))
      const to = found === -1 ? end : found + between.indexOf(',')
      yield JSON.parse(`[${json.slice(from, to)}]`) as unknown[]
      from = to + 1
    }
  }
  return { slices }
}

/** Written in one turn of the event loop: a few milliseconds of work. */
const ITEMS_AT_ONCE = 4_000

const [OPENING, CLOSING] = [Buffer.from('['), Buffer.from(']')]
const COMMA = 0x2c

/** The JSON text of a list in pieces, between which others get their turn. */
export async function* jsonPieces(list: readonly unknown[]): AsyncGenerator<Buffer> {
  if (list.length === 0) yield OPENING
  for (let from = 0; from < list.length; from += ITEMS_AT_ONCE) {
    if (from > 0) await nextTurn()
    const piece = Buffer.from(JSON.stringify(list.slice(from, from + ITEMS_AT_ONCE)))
    // Each is a list of its own: the bracket where it begins gives way to a comma, that of its end to nothing.
    if (from > 0) piece[0] = COMMA
    yield piece.subarray(0, -1)
  }
  yield CLOSING
}
