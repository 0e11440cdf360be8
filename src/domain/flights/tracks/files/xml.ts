import { SaxesParser } from 'saxes'
import { english } from '../../../../messages/english.ts'
import { unreadable } from './points.ts'

interface XmlHandlers {
  open: (name: string, attributes: Readonly<Record<string, string>>) => void
  text: (text: string) => void
  close: (name: string) => void
}

const MAX_DEPTH = 100
const MAX_ATTRIBUTES = 50
const MAX_ELEMENTS = 2_000_000
/** Error messages of the parser may quote long names. */
const MAX_REASON_LENGTH = 100
const CHUNK_LENGTH = 64 * 1024
/** Of one tag, comment, declaration or CDATA section in characters; of one text in entities and carriage returns. */
const MAX_TOKEN_PARTS = 256 * 1024

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

/** Stops at the first error. saxes has no entities beyond XML's five. */
export function parseXml(text: string, { open, text: onText, close }: XmlHandlers): void {
  const parser = new SaxesParser({ xmlns: false, position: false })
  const invalid = (reason: string) =>
    unreadable(
      english.tracks.notXml({ line: parser.line, reason: reason.slice(0, MAX_REASON_LENGTH).replace(/\.$/, '') }),
    )
  let [depth, elements, attributes] = [0, 0, 0]
  let [tokenStart, tokenParts] = [0, 0]
  const startToken = (position: number) => {
    tokenStart = position
    tokenParts = 0
  }
  parser.on('error', ({ message }) => {
    throw invalid(message)
  })
  parser.on('doctype', () => {
    throw unreadable(english.tracks.doctype)
  })
  parser.on('opentagstart', () => {
    attributes = 0
    if (++elements > MAX_ELEMENTS) throw unreadable(english.tracks.tooManyElements({ max: MAX_ELEMENTS }))
    if (++depth > MAX_DEPTH) throw unreadable(english.tracks.nestedTooDeep({ line: parser.line, max: MAX_DEPTH }))
  })
  parser.on('attribute', () => {
    if (++attributes > MAX_ATTRIBUTES)
      throw unreadable(english.tracks.tooManyAttributes({ line: parser.line, max: MAX_ATTRIBUTES }))
  })
  parser.on('opentag', (tag) => {
    startToken(parser.position)
    open(localName(tag.name), tag.attributes)
  })
  parser.on('closetag', (tag) => {
    startToken(parser.position)
    depth--
    close(localName(tag.name))
  })
  parser.on('text', (value) => {
    // The parser has read the `<` that ends a text.
    startToken(parser.position - 1)
    onText(value)
  })
  parser.on('cdata', (value) => {
    startToken(parser.position)
    onText(value)
  })
  // Some programs write a line break before the XML declaration.
  const source = text.trimStart()
  for (let start = 0; start < source.length; start += CHUNK_LENGTH) {
    const chunk = source.slice(start, start + CHUNK_LENGTH)
    parser.write(chunk)
    // saxes joins a value from many small strings, which take 30 times its size in memory.
    tokenParts += source[tokenStart] === '<' ? chunk.length : (chunk.match(/[&\r]/g)?.length ?? 0)
    if (tokenParts > MAX_TOKEN_PARTS) throw unreadable(english.tracks.tokenTooLong)
  }
  parser.close()
}
