const MARKS: Readonly<Record<string, string>> = {
  uml: '\u0308',
  acute: '\u0301',
  grave: '\u0300',
  circ: '\u0302',
  tilde: '\u0303',
  ring: '\u030a',
  cedil: '\u0327',
  caron: '\u030c',
}
const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', ndash: '–', mdash: '—', rarr: '→' },
  ...{ szlig: 'ß', oslash: 'ø', Oslash: 'Ø', aelig: 'æ', AElig: 'Æ', eth: 'ð', thorn: 'þ', lrm: '', rlm: '', shy: '' },
}

function characterOf(code: number): string {
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : '\uFFFD'
}

/** Numeric entities, those of Latin letters, and a few more. */
export const decodeEntities = (text: string): string =>
  text.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z])(uml|acute|grave|circ|tilde|ring|cedil|caron)|([A-Za-z]{2,6}));/g,
    (entity, decimal?: string, hex?: string, letter?: string, mark?: string, name?: string) => {
      if (decimal !== undefined) return characterOf(Number(decimal))
      if (hex !== undefined) return characterOf(Number.parseInt(hex, 16))
      if (letter !== undefined) return (letter + MARKS[mark!]!).normalize('NFC')
      return Object.hasOwn(NAMED, name!) ? NAMED[name!]! : entity
    },
  )

/** Fifty reservations with all members take a fifth of this. */
const MAX_SCRIPT_LENGTH = 512 * 1024

/** The contents of all JSON-LD scripts of a page. */
export function* jsonLdScripts(html: string): Generator<string> {
  const opening = /<script\b([^<>]{0,1000})>/gi
  const closing = /<\/script\s*>/gi
  for (let match = opening.exec(html); match; match = opening.exec(html)) {
    if (!/\btype\s*=\s*["']?\s*application\/ld\+json/i.test(match[1]!)) continue
    closing.lastIndex = opening.lastIndex
    const end = closing.exec(html)
    const script = html.slice(opening.lastIndex, end?.index)
    if (script.length <= MAX_SCRIPT_LENGTH) yield script
    if (!end) return
    opening.lastIndex = closing.lastIndex
  }
}
