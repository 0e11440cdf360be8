import { setImmediate as nextTurn } from 'node:timers/promises'

/** Read in one turn of the event loop: a few milliseconds of work. */
const SLICE_BYTES = 64 * 1024

const QUOTE = 0x22
const COMMA = 0x2c
const LIST = 0x5b
const BACKSLASH = 0x5c
const LIST_END = 0x5d
const OBJECT = 0x7b
const OBJECT_END = 0x7d

/** The bytes that matter outside of texts; all others are left to JSON.parse. */
const marks = new Uint8Array(256)
for (const byte of [QUOTE, COMMA, LIST, LIST_END, OBJECT, OBJECT_END]) marks[byte] = 1

const listBrackets = [LIST, LIST_END] as const
const objectBrackets = [OBJECT, OBJECT_END] as const

type Container = unknown[] | Record<string, unknown>

const refuse = (): never => {
  throw new SyntaxError('This is not JSON.')
}

const isSpace = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** Where the next byte that matters stands, or the end. */
function skipOthers(bytes: Uint8Array, start: number, end: number): number {
  let index = start
  while (index < end && marks[bytes[index]!] === 0) index++
  return index
}

/** Where the closing quote stands, or the end; an escape may reach beyond that. */
function skipText(bytes: Uint8Array, start: number, end: number): number {
  let index = start
  while (index < end && bytes[index] !== QUOTE) index += bytes[index] === BACKSLASH ? 2 : 1
  return index
}

const isEmpty = (container: Container) =>
  Array.isArray(container) ? container.length === 0 : Object.keys(container).length === 0

/** As JSON.parse does it: this name is a key like others, where an assignment would set the prototype. */
function setMember(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') target[key] = value
  else Object.defineProperty(target, key, { value, configurable: true, enumerable: true, writable: true })
}

/** Adds all items or members of another container of the same kind; false when there are none. */
function addAll(target: Container, found: Container): boolean {
  if (Array.isArray(target)) {
    const items = found as unknown[]
    for (let index = 0; index < items.length; index++) target.push(items[index])
    return items.length > 0
  }
  const members = found as Record<string, unknown>
  const keys = Object.keys(members)
  for (const key of keys) setMember(target, key, members[key])
  return keys.length > 0
}

/**
 * Reads UTF-8 bytes from left to right. Whatever list or object is open where a slice ends is filled by us from there on;
 * its items go to JSON.parse in pieces that are cut at commas. So each byte is looked at once and parsed once.
 */
function reader(bytes: Buffer) {
  // The whole document is the one item of this list.
  const document: unknown[] = []
  /** The containers that we fill, each inside of the one before. */
  const open: Container[] = [document]
  /** Where in the innermost of them begins what is not parsed yet, and what it comes after. */
  let from = 0
  let after: 'its start' | 'a comma' | 'a container' = 'its start'
  /** How far the bytes were looked at. */
  let at = 0
  let inText = false
  /** Where containers begin that stand inside of it and are open too, and before them the current item of each. */
  const starts: number[] = []
  const items: number[] = []
  /** The current item of the very last of them. */
  let item = 0

  const text = (start: number, end: number) => bytes.toString('utf8', start, end)

  /**
   * The text of items or members with the brackets of their container around it. These are put where a bracket or comma
   * stands anyway, and taken away again: joining texts would copy all of it once more.
   */
  function enclosed(start: number, end: number, [first, last]: readonly [number, number]): string {
    const [before, behind] = [bytes[start - 1]!, bytes[end]!]
    bytes[start - 1] = first
    bytes[end] = last
    const whole = text(start - 1, end + 1)
    bytes[start - 1] = before
    bytes[end] = behind
    return whole
  }

  function parsed(start: number, end: number, brackets: string): Container {
    const around = Array.isArray(open.at(-1)) ? listBrackets : objectBrackets
    if (brackets === '' && start > 0 && end < bytes.length) return JSON.parse(enclosed(start, end, around))
    const [first, last] = around.map((byte) => String.fromCharCode(byte))
    return JSON.parse(first + text(start, end) + brackets + last)
  }

  /** Parses what is left up to here, with the brackets that end there what is still open. */
  function take(end: number, brackets = ''): void {
    let start = from
    if (after === 'a container') {
      while (start < end && isSpace(bytes[start])) start++
      if (start === end && brackets === '') return
      if (bytes[start++] !== COMMA) refuse()
    }
    const any = addAll(open.at(-1)!, parsed(start, end, brackets))
    // Only a container without any item has nothing before its end; what follows a comma must be there.
    if (!any && (after !== 'its start' || bytes[end] === COMMA)) refuse()
  }

  /** The innermost container ends with this bracket. */
  function leave(end: number): void {
    take(end)
    const left = open.pop()!
    if (open.length === 0 || Array.isArray(left) !== (bytes[end] === LIST_END)) refuse()
    from = end + 1
    after = 'a container'
  }

  /** Looks for commas and brackets; items that are whole are left to be taken. */
  function scan(end: number): void {
    let current = from
    let index = at
    let isText = inText
    for (;;) {
      index = isText ? skipText(bytes, index, end) : skipOthers(bytes, index, end)
      if (index >= end) break
      const byte = bytes[index++]
      if (byte === COMMA) current = index
      else if (byte === QUOTE) isText = !isText
      else if (byte === LIST || byte === OBJECT) {
        starts.push(index - 1)
        items.push(current)
        current = index
      } else if (starts.pop() !== undefined) current = items.pop()!
      else {
        leave(index - 1)
        current = from
      }
    }
    item = current
    at = index
    inText = isText
  }

  /** The container that was parsed last inside of this one, where its item begins here and it begins there. */
  function childOf(parent: Container, begin: number, start: number): Container {
    if (Array.isArray(parent)) return parent.at(-1) as Container
    const [key] = Object.keys(JSON.parse(`{${text(begin, start)}0}`)) as [string]
    return parent[key] as Container
  }

  /** Takes all that precedes a comma. */
  function takeWhole(next: number): void {
    if (next === from) return
    take(next - 1)
    from = next
    after = 'a comma'
  }

  /** Takes all that is whole, so that beside the containers to be filled nothing is open but one item. */
  function settle(): void {
    if (starts.length === 0) {
      takeWhole(item)
      return
    }
    takeWhole(items[0]!)
    const brackets = starts.map((start) => (bytes[start] === LIST ? ']' : '}')).reverse()
    const afterComma = bytes[item - 1] === COMMA
    take(afterComma ? item - 1 : item, brackets.join(''))
    for (const [level, start] of starts.entries()) open.push(childOf(open.at(-1)!, items[level]!, start))
    // The comma itself was not parsed: something must stand before it.
    if (afterComma && isEmpty(open.at(-1)!)) refuse()
    from = item
    after = afterComma ? 'a comma' : 'its start'
    starts.length = 0
    items.length = 0
  }

  return {
    readTo(end: number): void {
      scan(end)
      settle()
    },
    finish(): unknown {
      scan(bytes.length)
      if (inText || starts.length > 0 || open.length > 1) refuse()
      take(bytes.length)
      return document.length === 1 ? document[0] : refuse()
    },
  }
}

/**
 * The same as JSON.parse of these bytes, which are UTF-8 without a byte order mark, but in slices between which others
 * get their turn. What is not JSON ends in a SyntaxError.
 */
export async function parseLongJson(bytes: Buffer, sliceBytes = SLICE_BYTES): Promise<unknown> {
  if (bytes.length <= sliceBytes) return JSON.parse(bytes.toString())
  const { readTo, finish } = reader(bytes)
  for (let end = sliceBytes; end < bytes.length; end += sliceBytes) {
    readTo(end)
    await nextTurn()
  }
  return finish()
}

/** What is longer would hold up everybody else while it is parsed at once. */
export const LONG_JSON = 256 * 1024

/** Values looked at in one turn. */
const VALUES_AT_ONCE = 20_000

/** Shows every object and list of a parsed document, the outer before the inner, and lets others have their turn. */
export async function visitContainers(document: unknown, visit: (container: object) => void): Promise<void> {
  const waiting = [document]
  for (let seen = 0; waiting.length > 0; ) {
    const value = waiting.pop()
    if (typeof value !== 'object' || value === null) continue
    visit(value)
    for (const inner of Array.isArray(value) ? value : Object.values(value)) {
      seen++
      if (typeof inner === 'object' && inner !== null) waiting.push(inner)
    }
    if (seen < VALUES_AT_ONCE) continue
    await nextTurn()
    seen = 0
  }
}
