import type { Random } from './random.ts'

const PIECES = [
  ...[
    '',
    '\0',
    '\r\n',
    '\n ',
    '"',
    '\\',
    '{',
    '}',
    '[',
    ']',
    '<',
    '>',
    '&#0;',
    '&quot;',
    '--',
    '=',
    '=3D',
    ':',
    ';',
    '^',
  ],
  ...[
    '>6FF',
    'M1',
    'M4',
    '999',
    '000',
    '366',
    '-1',
    '1e999',
    '9999-12-31',
    '0000-00-00',
    '\ufffd',
    '\u0301',
    '✈',
    'ZRH',
  ],
  ...[
    'BEGIN:VEVENT',
    'END:VCALENDAR',
    'PK\x03\x04',
    'PK\x05\x06',
    '</script>',
    '"@type":"Flight",',
    '"@id":"#a",',
    'null',
  ],
  ...['__proto__', 'Content-Type: multipart/mixed; boundary=x', 'Content-Transfer-Encoding: base64', 'x'.repeat(300)],
]
const MAX_CHANGES = 3

/** A document with a few bytes changed, removed, repeated or inserted. */
export function mutatedDocument(document: Buffer | string, { pick, below, between, chance }: Random): Buffer {
  let bytes = Buffer.from(document as string)
  if (chance(0.1)) return bytes
  for (let change = between(1, MAX_CHANGES); change > 0; change--) {
    const start = below(bytes.length + 1)
    const end = Math.min(bytes.length, start + (chance(0.7) ? below(4) : below(bytes.length)))
    const [before, middle, after] = [bytes.subarray(0, start), bytes.subarray(start, end), bytes.subarray(end)]
    const inserted = pick([
      () => Buffer.from(pick(PIECES)),
      () => Buffer.from([below(256), below(256)]),
      () => Buffer.concat([middle, middle.subarray(0, 2000)]),
      () => Buffer.alloc(0),
    ])()
    bytes = Buffer.concat([before, inserted, after])
  }
  return bytes
}
