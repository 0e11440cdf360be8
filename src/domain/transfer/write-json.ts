const INDENT = '  '
/** Written at a time: a few milliseconds of work. */
const ITEMS_AT_ONCE = 2_000

const isLong = (value: unknown): value is unknown[] => Array.isArray(value) && value.length > ITEMS_AT_ONCE

/** Long lists stand as members of objects, at any depth, and never inside of other lists. */
const holdsLong = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).some((member) => isLong(member) || holdsLong(member))

/** JSON text never holds a raw line break inside a string, so every one is a place to indent. */
const small = (value: unknown, pad: string) => JSON.stringify(value, null, INDENT).replaceAll('\n', `\n${pad}`)

/** The same text as `JSON.stringify(value, null, 2)`, in pieces. */
export function* prettyJson(value: unknown, pad = ''): Generator<string> {
  const inner = pad + INDENT
  if (isLong(value)) {
    for (let from = 0; from < value.length; from += ITEMS_AT_ONCE) {
      const items = small(value.slice(from, from + ITEMS_AT_ONCE), pad)
      // As they stand in a list of their own, without its brackets.
      yield (from === 0 ? '[\n' : ',\n') + inner + items.slice(`[\n${inner}`.length, -`\n${pad}]`.length)
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
