/** Words that YAML readers of one version or another take for something else than text. */
const RESERVED = /^(?:true|false|null|yes|no|on|off|y|n)$/i

const key = (name: string) => (/^[A-Za-z_]\w*$/.test(name) && !RESERVED.test(name) ? name : JSON.stringify(name))

/** Controls, other line breaks, the byte order mark and noncharacters: older readers stumble over them even in quotes. */
const UNSAFE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g

const quoted = (text: string) =>
  JSON.stringify(text).replace(UNSAFE, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`)

const isEmpty = (value: object) => (Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0)

/** Numbers, truth values and null are the same in both languages; so are texts in double quotes. */
function scalar(value: unknown): string {
  if (typeof value === 'string') return quoted(value)
  return typeof value === 'object' && value !== null ? (Array.isArray(value) ? '[]' : '{}') : JSON.stringify(value)
}

const isBlock = (value: unknown): value is object => typeof value === 'object' && value !== null && !isEmpty(value)

/** Lines of a block; the first one is not indented, because it stands behind its key or dash. */
function lines(value: object, pad: string): string {
  if (Array.isArray(value)) {
    return value.map((item) => `- ${isBlock(item) ? lines(item, `${pad}  `) : scalar(item)}`).join(`\n${pad}`)
  }
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) =>
      isBlock(member) ? `${key(name)}:\n${pad}  ${lines(member, `${pad}  `)}` : `${key(name)}: ${scalar(member)}`,
    )
    .join(`\n${pad}`)
}

/** Written at a time: a few milliseconds of work. */
const ITEMS_AT_ONCE = 2_000

/** YAML 1.2 in block style with quoted texts, in pieces; ends without a line break. */
export function* blockYaml(value: unknown, pad = ''): Generator<string> {
  if (!isBlock(value)) {
    yield scalar(value)
    return
  }
  if (Array.isArray(value)) {
    for (let from = 0; from < value.length; from += ITEMS_AT_ONCE) {
      yield (from === 0 ? '' : `\n${pad}`) + lines(value.slice(from, from + ITEMS_AT_ONCE), pad)
    }
    return
  }
  let first = true
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue
    yield `${first ? '' : `\n${pad}`}${key(name)}:${isBlock(member) ? `\n${pad}  ` : ' '}`
    yield* blockYaml(member, `${pad}  `)
    first = false
  }
}
