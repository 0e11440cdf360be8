import type { Random } from './values.ts'
import type { World } from './world.ts'

const ok = (host: string) => `GET /health HTTP/1.1\r\nHost: ${host}\r\n`

/** Bytes similar to HTTP: malformed lines, ambiguous lengths, incomplete requests and noise. */
export function rawRequests({ host, keys }: World, { pick, below }: Random) {
  const key = `Authorization: Bearer ${keys.full[0]}\r\n`
  const post = `POST /api/v1/roles HTTP/1.1\r\nHost: ${host}\r\n${key}`
  const inner = `GET /api/v1/me HTTP/1.1\r\nHost: ${host}\r\n\r\n`
  const makers: (() => string)[] = [
    () =>
      `${pick(['G E T', 'GET\0', '', 'get', 'GET\t', 'FOO', '\xff\xfe', 'CONNECT', 'PRI'])} /health HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    () =>
      `GET ${pick(['', ' ', 'health', '*', 'http://evil.example/health', `http://${host}/api/v1/me`, '/a b', '/\0', '/\x7f', '/\xff', '\\', `/${'a'.repeat(below(20_000))}`])} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
    () =>
      `GET /health ${pick(['HTTP/1.0', 'HTTP/0.9', 'HTTP/2.0', 'HTTP/9.9', 'HTTP/1.1.1', 'http/1.1', 'ICY 1.1', ''])}\r\nHost: ${host}\r\n\r\n`,
    () =>
      `${ok(host)}${pick(['X : a', ' X: a', 'X a', ': a', 'X: a\r\n b', 'X: a\0b', 'X:\ta\x01', 'X\xff: a', `X: ${'a'.repeat(20_000)}`, 'X: a\nY: b', 'Host: other', 'Content-Length: x', 'Content-Length: -1', 'Content-Length: 1, 2', 'Transfer-Encoding: gzip', 'Expect: nonsense', 'Expect: 100-continue', 'Connection: upgrade\r\nUpgrade: websocket', 'Connection: upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAA', 'Range: bytes=0-1,0-1'])}\r\n\r\n`,
    () => `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${inner}`,
    () => `${post}Content-Length: 0\r\nContent-Length: ${inner.length}\r\n\r\n${inner}`,
    () =>
      `${post}Transfer-Encoding: ${pick(['xchunked', 'chunked, identity', 'identity', ' chunked', 'chunked\r\nTransfer-Encoding: x', '\x0bchunked', 'CHUNKED'])}\r\n\r\n0\r\n\r\n${inner}`,
    () =>
      `${post}Transfer-Encoding: chunked\r\n\r\n${pick(['-1', 'g', '0x4', 'ffffffffffffffff', '4;ext="', '4\n', ' 4', ''])}\r\n{"a":1}\r\n0\r\n\r\n`,
    () => `${post}Content-Length: ${pick([1, 2, 50])}\r\n\r\n{"a"`,
    () => post.slice(0, below(post.length)),
    () => ok(host),
    () => `${`GET /health HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(1 + below(20))}`,
    () => Array.from({ length: 1 + below(400) }, () => String.fromCharCode(below(256))).join(''),
    () => `\r\n\r\n${ok(host)}\r\n`,
    () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  ]
  return (): Buffer => Buffer.from(pick(makers)(), 'latin1')
}
