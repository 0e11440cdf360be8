import { unreadable } from './points.ts'

/**
 * Just enough XML for GPX and KML, read from beginning to end once. There are no document types and no entities but the
 * five that XML itself has, so nothing in a file can grow or point elsewhere.
 */
interface XmlEvent {
  kind: 'open' | 'close' | 'text'
  /** Of an element, without its prefix; of a text, the text. */
  value: string
  attributes: Readonly<Record<string, string>>
}

const DEEPEST = 100
const MOST_ATTRIBUTES = 50
const NONE = {}
/** What a number or a time may take at most, every character of it written as an entity. */
const LONGEST_VALUE = 2_000

/** Far more than the longest track has. */
const MAX_ELEMENTS = 2_000_000
const MAX_TAG_LENGTH = 32 * 1024
const [DOUBLE_QUOTE, SINGLE_QUOTE, TAG_END_CODE] = [0x22, 0x27, 0x3e]

const NAME = /[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?/y
const ATTRIBUTE = /\s+([A-Za-z_][\w.:-]*)\s*=\s*("[^"<]*"|'[^'<]*')/y
const TAG_END = /\s*(\/?)>/y

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The text of a short value: what is written for a character becomes it, anything else stays as it is. */
export function plainText(written: string): string {
  const text = written.slice(0, LONGEST_VALUE)
  return text.includes('&')
    ? text.replace(/&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([0-9a-fA-F]{1,6}));/g, (_, name, decimal, hexadecimal) => {
        if (name) return entities[name]!
        const code = decimal ? Number(decimal) : Number.parseInt(hexadecimal, 16)
        return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
      })
    : text
}

const local = (name: string) => name.slice(name.indexOf(':') + 1)

/** Gives one event after the other, and undefined at the end. */
export function xmlReader(text: string): () => XmlEvent | undefined {
  let position = text.startsWith('\uFEFF') ? 1 : 0
  let elements = 0
  const open: string[] = []
  let closing: string | undefined

  const broken = (why: string) => unreadable(`The file is not sound XML: ${why}.`)

  function match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = position
    const found = pattern.exec(text)
    if (found) position = pattern.lastIndex
    return found
  }

  function skipTo(end: string): number {
    const at = text.indexOf(end, position)
    if (at < 0) throw broken('it ends in the middle')
    position = at + end.length
    return at
  }

  function close(name: string): XmlEvent {
    if (open.pop() !== name) throw broken('its elements are not closed in order')
    return { kind: 'close', value: local(name), attributes: NONE }
  }

  /** The patterns below take too much memory for a tag without end; quoted values may hold `>`. */
  function checkTagLength(): void {
    const limit = Math.min(position + MAX_TAG_LENGTH, text.length)
    let quote = 0
    for (let index = position; index < limit; index++) {
      const code = text.charCodeAt(index)
      if (quote === 0 && code === TAG_END_CODE) return
      if (code === quote) quote = 0
      else if (quote === 0 && (code === DOUBLE_QUOTE || code === SINGLE_QUOTE)) quote = code
    }
    throw broken('an element does not end')
  }

  function openTag(): XmlEvent {
    if (++elements > MAX_ELEMENTS)
      throw unreadable(`The file is too complex: it has more than ${MAX_ELEMENTS} elements.`)
    checkTagLength()
    position++
    const [name] = match(NAME) ?? []
    if (!name) throw broken('a name is missing')
    const attributes: Record<string, string> = {}
    for (let count = 0; ; count++) {
      const attribute = match(ATTRIBUTE)
      if (!attribute) break
      if (count === MOST_ATTRIBUTES) throw broken('an element has too many attributes')
      attributes[local(attribute[1]!)] = plainText(attribute[2]!.slice(1, -1))
    }
    const end = match(TAG_END)
    if (!end) throw broken('an element does not end')
    open.push(name)
    if (open.length > DEEPEST) throw broken('its elements are too deep')
    if (end[1]) closing = name
    return { kind: 'open', value: local(name), attributes }
  }

  return function next(): XmlEvent | undefined {
    if (closing !== undefined) {
      const name = closing
      closing = undefined
      return close(name)
    }
    while (position < text.length) {
      if (text[position] !== '<') {
        const from = position
        const at = text.indexOf('<', position)
        position = at < 0 ? text.length : at
        return { kind: 'text', value: text.slice(from, position), attributes: NONE }
      }
      if (text.startsWith('<!--', position)) {
        skipTo('-->')
        continue
      }
      if (text.startsWith('<?', position)) {
        skipTo('?>')
        continue
      }
      if (text.startsWith('<![CDATA[', position)) {
        position += '<![CDATA['.length
        const value = text.slice(position, skipTo(']]>'))
        // What is longer is a list of places, in which no entity can be.
        const isShort = value.length <= LONGEST_VALUE
        return { kind: 'text', value: isShort ? value.replaceAll('&', '&amp;') : value, attributes: NONE }
      }
      if (text.startsWith('<!', position)) throw unreadable('The file has a document type, which is not read.')
      if (!text.startsWith('</', position)) return openTag()
      position += 2
      return close(text.slice(position, skipTo('>')).trim())
    }
    if (open.length > 0) throw broken('it ends in the middle')
    return undefined
  }
}
