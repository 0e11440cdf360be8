import { inChunks } from '../../lib/chunks.ts'

/** A few milliseconds of work. */
const ITEMS_PER_PIECE = 2_000

const isLong = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > ITEMS_PER_PIECE

/** Long lists are members of objects, at any depth, and never inside of other lists. */
const hasLongList = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).some((member) => isLong(member) || hasLongList(member))

const indented = (value: unknown, pad: string) => JSON.stringify(value, null, 2).replaceAll('\n', `\n${pad}`)

/** The same text as `JSON.stringify(value, null, 2)`, in pieces. */
export function* prettyJson(value: unknown, pad: string): Generator<string> {
  if (isLong(value)) {
    let separator = '['
    for (const items of inChunks(value, ITEMS_PER_PIECE)) {
      yield separator + indented(items, pad).slice('['.length, -`\n${pad}]`.length)
      separator = ','
    }
    yield `\n${pad}]`
  } else if (hasLongList(value)) {
    const inner = `${pad}  `
    let separator = '{\n'
    for (const [key, member] of Object.entries(value)) {
      yield `${separator}${inner}${JSON.stringify(key)}: `
      yield* prettyJson(member, inner)
      separator = ',\n'
    }
    yield `\n${pad}}`
  } else {
    yield indented(value, pad)
  }
}
