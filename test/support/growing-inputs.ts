import { parse as parseYaml } from 'yaml'
import * as z from 'zod'
import { LegacySave } from '../../src/http/legacy/contract.ts'
import { samples, sampleText } from '../domain/transfer/sample.ts'
import { passText } from './boarding-pass.ts'

/** A text, list or file that can be sent in any size. */
export interface GrowingInput {
  name: string
  /** The smaller of the two tested sizes. */
  size: number
  send: (size: number) => Promise<number>
}

export interface Target {
  origin: string
  /** Several, because tool calls are limited per key. */
  keys: readonly string[]
  cookie: string
}

interface Schema {
  $ref?: string
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  allOf?: Schema[]
  enum?: unknown[]
  examples?: unknown[]
  format?: string
}

type Resolve = (schema: Schema) => Schema

/** Plain text, and combining marks in the wrong order, which take quadratic time to normalize. */
export const texts: Record<string, (size: number) => string> = {
  plain: (size) => 'a'.repeat(size),
  marks: (size) => `a${'\u0301\u0327'.repeat(size / 2)}`,
}

const typeOf = ({ type }: Schema) => (Array.isArray(type) ? type.find((each) => each !== 'null') : type)

/** Resolves references and nullable schemas. */
function resolver(document: { components?: { schemas?: Record<string, Schema> } }): Resolve {
  return function resolve(schema): Schema {
    const named = schema.$ref?.split('/').at(-1)
    if (named !== undefined) return resolve(document.components?.schemas?.[named] ?? {})
    const branch = schema.anyOf?.find((each) => each.type !== 'null') ?? schema.allOf?.[0]
    return branch ? { ...schema, ...resolve(branch) } : schema
  }
}

/** A valid value for a schema. */
function sampleOf(schema: Schema, resolve: Resolve): unknown {
  const { examples, enum: words, properties = {}, required = [], items, format } = resolve(schema)
  if (examples?.length) return examples[0]
  if (words?.length) return words[0]
  switch (typeOf(resolve(schema))) {
    case 'object':
      return Object.fromEntries(required.map((name) => [name, sampleOf(properties[name] ?? {}, resolve)]))
    case 'array':
      return [sampleOf(items ?? {}, resolve)]
    case 'integer':
    case 'number':
      return 1
    case 'boolean':
      return true
    default:
      return format === 'date' ? '2025-05-03' : 'Sample'
  }
}

type Grow = (size: number) => unknown

/** One value per string and list in a schema, in which only that part grows. */
function* growths(schema: Schema, resolve: Resolve, depth = 0): Generator<[name: string, grow: Grow]> {
  const found = resolve(schema)
  if (typeOf(found) === 'string') for (const [name, text] of Object.entries(texts)) yield [name, text]
  if (typeOf(found) === 'array') {
    const item = sampleOf(found.items ?? {}, resolve)
    yield ['items', (size) => Array.from({ length: size }, () => item)]
    if (depth < 4) {
      for (const [name, grow] of growths(found.items ?? {}, resolve, depth + 1)) {
        yield [`[].${name}`, (size) => [grow(size)]]
      }
    }
  }
  for (const [member, inner] of depth < 4 ? Object.entries(found.properties ?? {}) : []) {
    for (const [name, grow] of growths(inner, resolve, depth + 1)) {
      yield [`${member}.${name}`, (size) => ({ ...(sampleOf(found, resolve) as object), [member]: grow(size) })]
    }
  }
}

export const SIZE = 20_000
/** A URL and all headers are limited to 16 KiB, and a combining mark takes six bytes. */
const URL_SIZE = 1_000

async function post({ origin, keys }: Target, method: string, path: string, body: string | object, key = keys[0]) {
  const answer = await fetch(origin + path, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  const text = await answer.text()
  return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : undefined }
}

interface OperationObject {
  operationId?: string
  parameters?: { in: string; name: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

/** Every property of every request body in the document. */
export async function bodyInputs(target: Target): Promise<GrowingInput[]> {
  const document = parseYaml(await (await fetch(`${target.origin}/api/v1/openapi.yaml`)).text())
  const resolve = resolver(document)
  const inputs: GrowingInput[] = []
  const ids = new Map<string, unknown>()
  for (const [path, methods] of Object.entries(document.paths as Record<string, Record<string, OperationObject>>)) {
    for (const [method, { operationId, requestBody }] of Object.entries(methods)) {
      const schema = requestBody?.content['application/json']?.schema
      if (!schema) continue
      const root = path.startsWith('/api') ? '' : '/api/v1'
      const [collection = ''] = path.split('/{')
      if (!ids.has(collection)) {
        const created = await post(target, 'POST', root + collection, sampleOf(schema, resolve) as object)
        ids.set(collection, created.body?.data?.id ?? 1)
      }
      const address = root + path.replace(/\{\w+\}/, String(ids.get(collection)))
      for (const [name, grow] of growths(schema, resolve)) {
        const send = async (size: number) =>
          (await post(target, method.toUpperCase(), address, grow(size) as object)).status
        inputs.push({ name: `${operationId} ${name}`, size: SIZE, send })
      }
    }
  }
  return inputs
}

const legacySave: Schema = z.toJSONSchema(LegacySave, { unrepresentable: 'any', io: 'output' }) as Schema

const text = { type: 'string' }
const stringProperties = (names: string): Schema => ({
  type: 'object',
  properties: Object.fromEntries(names.split(' ').map((name) => [name, text])),
})

/** Bodies outside of the document: the legacy API, and OAuth with the parameters of its RFCs. */
const undocumented: readonly [path: string, type: 'json' | 'form', schema: Schema][] = [
  ['/api/flight/save', 'json', legacySave],
  [
    '/oauth/register',
    'json',
    {
      type: 'object',
      properties: {
        redirect_uris: { type: 'array', items: text },
        grant_types: { type: 'array', items: text },
        response_types: { type: 'array', items: text },
        ...stringProperties('client_name client_uri logo_uri scope token_endpoint_auth_method').properties,
      },
    },
  ],
  [
    '/oauth/token',
    'form',
    stringProperties('grant_type client_id client_secret code code_verifier redirect_uri resource refresh_token scope'),
  ],
  ['/oauth/revoke', 'form', stringProperties('token token_type_hint client_id client_secret')],
]

/** Every property of these bodies. Each request has a new address, to avoid rate limits. */
export function otherInputs({ origin, keys }: Target): GrowingInput[] {
  let calls = 0
  return undocumented.flatMap(([path, type, schema]) =>
    [...growths(schema, resolver({}))].map(([name, grow]) => ({
      name: `${path} ${name}`,
      // OAuth endpoints are limited to 64 KiB.
      size: type === 'form' || path.startsWith('/oauth') ? 5_000 : SIZE,
      send: async (size: number) => {
        const value = grow(size) as Record<string, string>
        const headers = {
          authorization: path.startsWith('/oauth') ? '' : `Bearer ${keys[0]}`,
          'x-forwarded-for': `10.1.${(calls >> 8) & 255}.${calls++ & 255}`,
          'content-type': type === 'json' ? 'application/json' : 'application/x-www-form-urlencoded',
        }
        const body = type === 'json' ? JSON.stringify(value) : new URLSearchParams(value).toString()
        const answer = await fetch(origin + path, { method: 'POST', headers, body })
        await answer.text()
        return answer.status
      },
    })),
  )
}

/** Every query parameter in the document, with long values and long lists. */
export async function queryInputs(target: Target): Promise<GrowingInput[]> {
  const document = parseYaml(await (await fetch(`${target.origin}/api/v1/openapi.yaml`)).text())
  const operations = Object.entries(document.paths as Record<string, Record<string, OperationObject>>).flatMap(
    ([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        ...operation,
        method: method.toUpperCase(),
        address: (path.startsWith('/api') ? '' : '/api/v1') + path.replace(/\{\w+\}/, '1'),
      })),
  )
  return operations
    .filter(({ method }) => method === 'GET' || method === 'DELETE')
    .flatMap(({ operationId, method, address, parameters = [] }) =>
      parameters
        .filter((parameter) => parameter.in === 'query')
        .flatMap(({ name }) => {
          const send = async (query: string) => {
            const headers = { authorization: `Bearer ${target.keys[0]}` }
            const answer = await fetch(`${target.origin}${address}?${query}`, { method, headers })
            await answer.text()
            return answer.status
          }
          const long = Object.entries(texts).map(([kind, text]) => ({
            name: `${operationId} ?${name} ${kind}`,
            size: URL_SIZE,
            send: (size: number) => send(`${name}=${encodeURIComponent(text(size))}`),
          }))
          const listed = {
            name: `${operationId} ?${name} items`,
            size: URL_SIZE,
            send: (size: number) => send(`${name}=${Array.from({ length: size }, (_, index) => 1 + index)}`),
          }
          return [...long, listed]
        }),
    )
}

/** Every argument of every tool, where query parameters have no URL limit. */
export async function toolInputs(target: Target): Promise<GrowingInput[]> {
  const rpc = (method: string, params: object, key?: string) =>
    post(target, 'POST', '/api/mcp', { jsonrpc: '2.0', id: 1, method, params }, key)
  const { tools } = (await rpc('tools/list', {})).body.result as { tools: { name: string; inputSchema: Schema }[] }
  let calls = 0
  return tools.flatMap(({ name: tool, inputSchema }) => {
    const resolve = resolver({})
    // Bodies are tested above, so test only the other arguments.
    return [...growths(inputSchema, resolve)]
      .filter(([member]) => member.split('.').length === 2)
      .map(([member, grow]) => ({
        name: `${tool} ${member}`,
        size: SIZE,
        send: async (size: number) => {
          const key = target.keys[calls++ % target.keys.length]
          return (await rpc('tools/call', { name: tool, arguments: grow(size) }, key)).status
        },
      }))
  })
}

const ROWS = 2_000

/** Repeats the rows of a list, or the lines after the header. */
function manyRows(text: string, rows: number): string {
  if (text.trimStart().startsWith('{')) {
    const document = JSON.parse(text) as Record<string, unknown>
    const name = 'flights' in document ? 'flights' : 'SegmentListResponses'
    const list = document[name] as unknown[]
    return JSON.stringify({
      ...document,
      [name]: Array.from({ length: rows }, (_, index) => list[index % list.length]),
    })
  }
  if (text.startsWith('BEGIN:VCALENDAR')) {
    const events = text.match(/BEGIN:VEVENT[\s\S]*?END:VEVENT\r?\n/g) ?? []
    return `BEGIN:VCALENDAR\n${events.join('').repeat(rows / events.length)}END:VCALENDAR\n`
  }
  const [header = '', ...lines] = text.split(/\r?\n/).filter(Boolean)
  const repeated = Array.from({ length: rows }, (_, index) => lines[index % lines.length])
  return [header, ...repeated].join('\n')
}

/** Every format with more rows, and with one long text in its first row. */
export function fileInputs({ origin, keys }: Target): GrowingInput[] {
  return samples.flatMap(([format, file]) => {
    const text = sampleText(file)
    const send = async (content: string) => {
      const headers = { authorization: `Bearer ${keys[0]}`, 'content-type': 'application/octet-stream' }
      const path = `/api/v1/flights/import?dryRun=true&format=${format}`
      const answer = await fetch(origin + path, { method: 'POST', headers, body: content })
      await answer.text()
      return answer.status
    }
    // A word after the first line is part of a value.
    const word = /ZRH|LSZH|Zurich|LIS|LHR|JFK|FRA/.exec(text.slice(text.indexOf('\n')))?.[0] ?? 'ZRH'
    const long = Object.entries(texts).map(([kind, grow]) => ({
      name: `${file} ${word} ${kind}`,
      size: SIZE,
      send: (size: number) => send(text.replaceAll(word, grow(size))),
    }))
    return [{ name: `${file} rows`, size: ROWS, send: (size: number) => send(manyRows(text, size)) }, ...long]
  })
}

const boardingPass = passText({ name: 'SAMPLE/MIRA', legs: [{ route: 'ZRHLHRLX', number: '0316', day: '123' }] })
const jsonFlight = '{"@type":"Flight","flightNumber":"LX316","departureTime":"2025-05-03T10:00:00Z"}'
const event = 'BEGIN:VEVENT\r\nSUMMARY:LX 316 ZRH-LHR\r\nDTSTART:20250503T100000Z\r\nEND:VEVENT\r\n'
const mailHeaders = 'From: a@example.org\r\nSubject: Flight\r\n'
const script = `<script type="application/ld+json">${jsonFlight}</script>`

/** Travel documents with more flights, parts, lines, or one long text. */
const growingDocuments: Record<string, [size: number, type: string, content: (size: number) => string]> = {
  'boarding passes': [2_000, 'text/plain', (size) => `${boardingPass}\n`.repeat(size)],
  'flights in JSON': [2_000, 'application/json', (size) => `[${`${jsonFlight},`.repeat(size)}{}]`],
  'depth of JSON': [SIZE, 'application/json', (size) => `${'['.repeat(size)}${']'.repeat(size)}`],
  'references in JSON': [
    1_000,
    'application/json',
    (size) => `[${'{"@id":"#a","@type":"FlightReservation","reservationFor":{"@id":"#a"}},'.repeat(size)}{}]`,
  ],
  scripts: [2_000, 'text/html', (size) => `<html>${script.repeat(size)}</html>`],
  entities: [
    SIZE,
    'text/html',
    (size) => `<html><script type="application/ld+json">${'&quot;'.repeat(size)}</script></html>`,
  ],
  events: [2_000, 'text/calendar', (size) => `BEGIN:VCALENDAR\r\n${event.repeat(size)}END:VCALENDAR\r\n`],
  'parts of a mail': [
    800,
    'message/rfc822',
    (size) =>
      `${mailHeaders}Content-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\nContent-Type: text/html\r\n\r\nx\r\n'.repeat(size)}--b--\r\n`,
  ],
  'headers of a mail': [2_000, 'message/rfc822', (size) => `${mailHeaders}${'X-A: b\r\n'.repeat(size)}\r\nx`],
  ...Object.fromEntries(
    Object.entries(texts).flatMap(([kind, grow]) => [
      [`${kind} names`, [SIZE, 'application/json', (size: number) => jsonFlight.replace('"LX', `"${grow(size)}`)]],
      [`${kind} summaries`, [2_000, 'text/calendar', (size: number) => event.replace('LX', grow(size))]],
    ]),
  ),
}

export function documentInputs({ origin, keys }: Target): GrowingInput[] {
  return Object.entries(growingDocuments).map(([name, [size, type, content]]) => ({
    name: `travel document: ${name}`,
    size,
    async send(grown: number) {
      const headers = { authorization: `Bearer ${keys[0]}`, 'content-type': type }
      const answer = await fetch(`${origin}/api/v1/flights/read`, { method: 'POST', headers, body: content(grown) })
      await answer.text()
      return answer.status
    },
  }))
}
