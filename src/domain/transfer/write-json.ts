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

/** What lists around a value put before and after it, which is then as far from the margin as it has to be. */
function around(depth: number): { before: number; after: number } {
  let [before, after] = [0, 0]
  for (let level = 0; level < depth; level++) {
    before += `[\n${INDENT.repeat(level + 1)}`.length
    after += `\n${INDENT.repeat(level)}]`.length
  }
  return { before, after }
}

/** Inside of as many lists as the text stands from the margin: moving its lines afterwards takes as long as writing them. */
function small(value: unknown, pad: string): string {
  const depth = pad.length / INDENT.length
  let wrapped = value
  for (let level = 0; level < depth; level++) wrapped = [wrapped]
  const text = JSON.stringify(wrapped, null, INDENT)
  const { before, after } = around(depth)
  return text.slice(before, text.length - after)
}

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
