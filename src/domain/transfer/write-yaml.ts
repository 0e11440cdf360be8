import { inChunks } from '../../lib/chunks.ts'

/** YAML 1.1 or 1.2 readers do not read these as text. */
const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n)$/i

/** Older readers fail on these even in quotes. */
const UNSAFE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g

const ITEMS_PER_PIECE = 2_000

const keyOf = (name: string) => (/^[A-Za-z_]\w*$/.test(name) && !RESERVED.test(name) ? name : JSON.stringify(name))

/** Numbers, booleans, null, quoted texts and empty lists and objects are the same in JSON. */
const scalar = (value: unknown) =>
  JSON.stringify(value).replace(UNSAFE, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)

const isBlock = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && (Array.isArray(value) ? value : Object.keys(value)).length > 0

const membersOf = (value: object) => Object.entries(value).filter(([, member]) => member !== undefined)

/** The first line of a block is not indented, because it follows its key or dash. */
function blockText(value: object, pad: string): string {
  const inner = `${pad}  `
  const lines = Array.isArray(value)
    ? value.map((item) => `- ${isBlock(item) ? blockText(item, inner) : scalar(item)}`)
    : membersOf(value).map(
        ([name, member]) =>
          `${keyOf(name)}:${isBlock(member) ? `\n${inner}${blockText(member, inner)}` : ` ${scalar(member)}`}`,
      )
  return lines.join(`\n${pad}`)
}

/** YAML 1.2 in block style with quoted texts, in pieces; ends without a line break. */
export function* blockYaml(value: unknown, pad: string): Generator<string> {
  if (!isBlock(value)) {
    yield scalar(value)
    return
  }
  let separator = ''
  if (Array.isArray(value)) {
    for (const items of inChunks(value, ITEMS_PER_PIECE)) {
      yield separator + blockText(items, pad)
      separator = `\n${pad}`
    }
    return
  }
  for (const [name, member] of membersOf(value)) {
    yield `${separator}${keyOf(name)}:${isBlock(member) ? `\n${pad}  ` : ' '}`
    yield* blockYaml(member, `${pad}  `)
    separator = `\n${pad}`
  }
}
