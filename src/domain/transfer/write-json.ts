import { isLongList } from '../../lib/long-list.ts'

const INDENT = '  '

/** Long lists stand as members of objects, at any depth, and never inside of other lists. */
const holdsLong = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).some((member) => isLongList(member) || holdsLong(member))

/** JSON text never holds a raw line break inside a string, so every one is a place to indent. */
const small = (value: unknown, pad: string) => JSON.stringify(value, null, INDENT).replaceAll('\n', `\n${pad}`)

/** The same text as `JSON.stringify(value, null, 2)` would give with whole lists, in pieces. */
export function* prettyJson(value: unknown, pad = ''): Generator<string> {
  const inner = pad + INDENT
  if (isLongList(value)) {
    let separator = '[\n'
    for (const slice of value.slices()) {
      // The items of a slice as they stand in a list of their own, without its brackets.
      yield separator + inner + small(slice, pad).slice(`[\n${inner}`.length, -`\n${pad}]`.length)
      separator = ',\n'
    }
    yield `\n${pad}]`
  } else if (holdsLong(value)) {
    let separator = '{\n'
    for (const [key, member] of Object.entries(value)) {
      yield `${separator}${inner}${JSON.stringify(key)}: `
      yield* prettyJson(member, inner)
      separator = ',\n'
    }
    yield `\n${pad}}`
  } else {
    yield small(value, pad)
  }
}
