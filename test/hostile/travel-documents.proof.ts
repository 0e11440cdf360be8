import { expect, test } from 'vitest'
import { passText } from '../support/boarding-pass.ts'
import { measured } from '../support/measured.ts'
import { limitedNode } from '../support/memory-group.ts'
import { loadedFolder, ownerKey } from '../support/process.ts'
import { watchedServer } from '../support/watched-server.ts'
import { zip } from '../support/zip.ts'

const MAX_BYTES = 2 * 1024 * 1024
/** Contract 17.11: CPU time of one event loop task, which does not depend on the load of the machine. */
const MAX_WORK_MS = 250
/** A deadline of 2 s, and the start of the worker. */
const MAX_ANSWER_MS = 10_000
/** Contract 17.5: other users notice nothing. A read takes a few milliseconds. */
const MAX_READ_MS = 2_000

const fill = (start: string, piece: string, end = '') =>
  start + piece.repeat(Math.floor((MAX_BYTES - start.length - end.length) / Buffer.byteLength(piece))) + end

const HEADERS = 'From: a@example.org\nTo: b@example.org\nSubject: Flight\n'
const html = (type: string) => `${HEADERS}Content-Type: ${type}\n\n`
const flight = '{"@type":"Flight","flightNumber":"LX1","departureAirport":"ZRH","arrivalAirport":"LHR"},'
const nested = (open: string, depth: number, close: string) => open.repeat(depth) + close.repeat(depth)

/** The content type, and 2 MB of a document. */
const hostile: Record<string, [type: string, content: string | Buffer]> = {
  'empty lines': ['message/rfc822', fill(html('text/plain'), '\n')],
  'short lines': ['message/rfc822', fill(html('text/plain'), 'x\n')],
  'short lines of HTML': ['message/rfc822', fill(html('text/html'), '<p>\n')],
  'format=flowed': ['message/rfc822', fill(html('text/plain; format=flowed'), 'x \n')],
  'format=flowed, delsp': ['message/rfc822', fill(html('text/plain; format=flowed; delsp=yes'), '> x \n')],
  'soft line breaks': ['message/rfc822', fill(`${HEADERS}Content-Transfer-Encoding: quoted-printable\n\n`, '=\n')],
  'base64 of short lines': ['message/rfc822', fill(`${HEADERS}Content-Transfer-Encoding: base64\n\n`, 'QQ==\n')],
  '10,000 parts': ['message/rfc822', `${html('multipart/mixed; boundary=b')}${'--b\n\nx\n'.repeat(10_000)}--b--\n`],
  headers: ['message/rfc822', fill(HEADERS, 'X-A: b\n')],
  'one header': ['message/rfc822', fill(`${HEADERS}X-A: `, 'b\n ')],
  'parameters of a header': ['message/rfc822', fill(`${HEADERS}Content-Type: text/plain`, '; a*0*=b')],
  addresses: ['message/rfc822', fill('From: a@example.org\nTo: ', '"a" <b@c>, (')],
  'encoded words': ['message/rfc822', fill('From: a@example.org\nSubject: ', '=?utf-8?Q?=C3?= ')],
  'nested parts': [
    'message/rfc822',
    HEADERS +
      Array.from({ length: 20_000 }, (_, at) => `Content-Type: multipart/mixed; boundary=b${at}\n\n--b${at}\n`).join(
        '',
      ),
  ],
  'nested messages': ['message/rfc822', fill(HEADERS, 'Content-Type: message/rfc822\n\n')],
  entities: ['text/html', fill('<script type="application/ld+json">', '&quot;&#x41;&amp;', '</script>')],
  'opening scripts': ['text/html', fill('<html>', '<script type="application/ld+json">')],
  'unclosed tags': ['text/html', fill('<html>', '<script ')],
  'slashes in a script': ['text/html', `<script type="application/ld+json">${'/'.repeat(500_000)}x</script>`],
  'comments in scripts': ['text/html', fill('<script type="application/ld+json">', '/* * ')],
  'flights in JSON': ['application/json', fill('[', flight, `${flight.slice(0, -1)}]`)],
  'references in JSON': [
    'application/json',
    fill('[', '{"@id":"#a","@type":"FlightReservation","reservationFor":{"@id":"#a"}},', '{}]'),
  ],
  'lists in JSON': ['application/json', nested('[', 100_000, ']')],
  'objects in JSON': ['application/json', fill('[', '{},', '{}]')],
  'nested reservations': ['application/json', fill('', '{"@type":"FlightReservation","reservationFor":')],
  'names in JSON': ['application/json', fill('[{"@type":"Flight","flightNumber":"', '\u0301\u0327', '"}]')],
  'one calendar line': ['text/calendar', fill('BEGIN:VCALENDAR\nX', ';A=B', ':x\n')],
  'calendar events': ['text/calendar', fill('BEGIN:VCALENDAR\n', 'BEGIN:VEVENT\nEND:VEVENT\n', 'END:VCALENDAR\n')],
  'calendar flights': [
    'text/calendar',
    fill(
      'BEGIN:VCALENDAR\n',
      'BEGIN:VEVENT\nSUMMARY:LX 1 ZRH-LHR\nDTSTART:20250503T1000\nEND:VEVENT\n',
      'END:VCALENDAR\n',
    ),
  ],
  'guessed flights': [
    'text/calendar',
    fill(
      'BEGIN:VCALENDAR\n',
      'BEGIN:VEVENT\nSUMMARY:QQQ to XXQ\nDTSTART:20250503T100000Z\nEND:VEVENT\n',
      'END:VCALENDAR\n',
    ),
  ],
  'nested components': ['text/calendar', fill('BEGIN:VCALENDAR\n', 'BEGIN:VEVENT\n')],
  'parameters of calendar lines': ['text/calendar', fill('BEGIN:VCALENDAR\n', `X${';A="B"'.repeat(1000)}:x\n`)],
  'calendar text': ['text/calendar', fill('BEGIN:VCALENDAR\n', `X:${'\\,'.repeat(4000)}\n`)],
  'a zip bomb': [
    'application/vnd.apple.pkpass',
    zip({ 'pass.json': { content: Buffer.alloc(200_000_000), declaredSize: 10 } }),
  ],
  'zip signatures': ['application/vnd.apple.pkpass', fill('PK\x03\x04', 'PK\x05\x06')],
  'fields of a Wallet pass': [
    'application/vnd.apple.pkpass',
    zip({ 'pass.json': { content: `{"boardingPass":{"primaryFields":[${'{},'.repeat(80_000)}{}]}}` } }),
  ],
  'boarding passes': [
    'text/plain',
    fill('', `${passText({ name: 'SAMPLE/MIRA', legs: [{ route: 'XQQXQWQ0', number: '0001', day: '123' }] })}\n`),
  ],
  'empty boarding passes': ['text/plain', fill('M1', '\n')],
  'a mail without an end': ['', fill('A', 'a-')],
  NULs: ['', Buffer.alloc(MAX_BYTES)],
  'NULs in a mail': ['message/rfc822', fill(HEADERS, '\0\0\0\n')],
  'invalid UTF-8': ['text/html', Buffer.concat([Buffer.from('<html>'), Buffer.alloc(MAX_BYTES - 6, 0xff)])],
}

test('documents of 2 MB that are expensive to read are refused, and other users notice nothing', async () => {
  const dataDir = loadedFolder()
  const key = ownerKey(dataDir)
  const server = await watchedServer(dataDir, {}, { program: limitedNode() })
  const headers = { authorization: `Bearer ${key}` }
  const problems: string[] = []
  const longest = { tookMs: 0, readMs: 0 }
  for (const [name, [type, content]] of Object.entries(hostile)) {
    expect([name, Buffer.byteLength(content) <= MAX_BYTES]).toEqual([name, true])
    await server.watched()
    const began = performance.now()
    let [isDone, longestRead] = [false, 0]
    const readMeanwhile = async () => {
      while (!isDone) {
        const start = performance.now()
        const { status } = await fetch(`${server.url}/api/v1/me`, { headers })
        if (status !== 200) problems.push(`${name}: a read answers ${status}`)
        longestRead = Math.max(longestRead, performance.now() - start)
      }
    }
    const send = async () => {
      const answer = await fetch(`${server.url}/api/v1/flights/read`, {
        method: 'POST',
        headers: { ...headers, ...(type && { 'content-type': type }) },
        body: content as string,
      })
      const { data, error } = (await answer.json()) as { data?: object[]; error?: { message: string } }
      isDone = true
      return { status: answer.status, data, error }
    }
    const [{ status, data, error }] = await Promise.all([send(), readMeanwhile()])
    const took = performance.now() - began
    const { longestWorkMs } = await server.watched()
    process.stdout.write(
      `${name}: ${status} ${error?.message ?? data?.length} in ${Math.round(took)} ms, longest task ${Math.round(longestWorkMs)} ms, longest read ${Math.round(longestRead)} ms\n`,
    )
    longest.tookMs = Math.max(longest.tookMs, took)
    longest.readMs = Math.max(longest.readMs, longestRead)
    if (status !== 422 && (status !== 200 || data!.length > 50)) problems.push(`${name}: ${status}`)
    if (took > MAX_ANSWER_MS) problems.push(`${name}: ${took} ms`)
    if (longestWorkMs > MAX_WORK_MS) problems.push(`${name}: a task of ${longestWorkMs} ms`)
    if (longestRead > MAX_READ_MS) problems.push(`${name}: a read of ${longestRead} ms`)
  }
  measured(
    `${Object.keys(hostile).length} documents of 2 MB that are expensive to read: longest answer ${Math.round(longest.tookMs)} ms, longest other read ${Math.round(longest.readMs)} ms`,
  )
  expect(problems).toEqual([])
})
