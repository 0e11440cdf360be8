import { AppError } from './errors.ts'

/** No list of any body may have more items; the longest is the points of a track. */
const MAX_ITEMS = 100_000
/** What a parsed body may take beside the characters of its texts. A whole track with all its columns takes half of it. */
const MAX_MEMORY = 32 * 1024 * 1024
/** About how many bytes a parsed value takes. */
const BYTES = { container: 64, text: 24, member: 48, item: 8 }

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c]
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d]

const tooMuch = () =>
  new AppError('validation_failed', 'The body holds too many values.', {
    details: [{ code: 'too_big', path: [], message: 'Must hold fewer values.' }],
  })

interface Open {
  isList: boolean
  items: number
}

/** Where the closing quote stands, or the end. */
function endOfText(bytes: Buffer, start: number): number {
  let index = start + 1
  while (index < bytes.length && bytes[index] !== QUOTE) index += bytes[index] === BACKSLASH ? 2 : 1
  return index
}

/**
 * The text of a large body without what is beyond the limit of every list, so that it is refused for its length and never
 * becomes millions of values: a few bytes of text can be a hundred of memory. What is not JSON is left to the parser.
 */
export function withinLimits(body: Buffer): Buffer {
  const kept: Buffer[] = []
  const open: Open[] = []
  let [memory, from] = [0, 0]
  /** The list whose items are beyond the limit by now, and where they begin. */
  let cut: { list: Open; start: number } | undefined
  const spend = (bytes: number) => {
    if (!cut) memory += bytes
    if (memory > MAX_MEMORY) throw tooMuch()
  }
  const keptUntil = (end: number) => Buffer.concat([...kept, body.subarray(from, cut?.start ?? end)])

  for (let index = 0; index < body.length; index++) {
    const byte = body[index]
    const inside = open.at(-1)
    if (byte === QUOTE) {
      spend(BYTES.text)
      index = endOfText(body, index)
    } else if (byte === LIST || byte === OBJECT) {
      spend(BYTES.container)
      open.push({ isList: byte === LIST, items: 1 })
    } else if (byte === COMMA && inside) {
      spend(inside.isList ? BYTES.item : BYTES.member)
      inside.items++
      // One too many is kept, since it is what the list is refused for.
      if (!cut && inside.isList && inside.items === MAX_ITEMS + 2) cut = { list: inside, start: index }
    } else if (byte === LIST_END || byte === OBJECT_END) {
      if (inside?.isList !== (byte === LIST_END)) return keptUntil(index + 1)
      open.pop()
      if (cut?.list !== inside) continue
      kept.push(body.subarray(from, cut.start))
      from = index
      cut = undefined
    }
  }
  return kept.length === 0 && !cut ? body : keptUntil(body.length)
}
