import { parse as parseYaml } from 'yaml'
import { samples, sampleText } from '../domain/transfer/sample.ts'
import { fieldsIn } from './form-fields.ts'
import { pageRoutes } from './page-routes.ts'

/** One text, list or file that somebody may send, in any size. */
export interface GrowingInput {
  name: string
  /** The smaller of the two sizes at which it is sent. */
  size: number
  send: (size: number) => Promise<number>
}

export interface Target {
  origin: string
  /** Several, since calls of tools are limited for each. */
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

/** Plain, and one whose marks stand in the wrong order: normalising it takes time by the square of its length. */
const texts: Record<string, (size: number) => string> = {
  plain: (size) => 'a'.repeat(size),
  marks: (size) => `a${'\u0301\u0327'.repeat(size / 2)}`,
}

const typeOf = ({ type }: Schema) => (Array.isArray(type) ? type.find((each) => each !== 'null') : type)

/** What a schema stands for where it may also be null or lies elsewhere. */
function resolver(document: { components?: { schemas?: Record<string, Schema> } }): Resolve {
  return function resolve(schema): Schema {
    const named = schema.$ref?.split('/').at(-1)
    if (named !== undefined) return resolve(document.components?.schemas?.[named] ?? {})
    const branch = schema.anyOf?.find((each) => each.type !== 'null') ?? schema.allOf?.[0]
    return branch ? { ...schema, ...resolve(branch) } : schema
  }
}

/** Something that the schema may well take. */
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

/** Every text and list below a schema, each as a whole value in which it alone grows. */
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

const SIZE = 20_000

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
  requestBody?: { content: Record<string, { schema: Schema }> }
}

/** Every member of every body that the document describes. */
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
        const made = await post(target, 'POST', root + collection, sampleOf(schema, resolve) as object)
        ids.set(collection, made.body?.data?.id ?? 1)
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

/** Every argument of every tool: what is a parameter of a query elsewhere has no limit of an address here. */
export async function toolInputs(target: Target): Promise<GrowingInput[]> {
  const rpc = (method: string, params: object, key?: string) =>
    post(target, 'POST', '/api/mcp', { jsonrpc: '2.0', id: 1, method, params }, key)
  const { tools } = (await rpc('tools/list', {})).body.result as { tools: { name: string; inputSchema: Schema }[] }
  let calls = 0
  return tools.flatMap(({ name: tool, inputSchema }) => {
    const resolve = resolver({})
    // Bodies are described once more here; what differs are the members beside them.
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

/** Every field of every form that the owner finds on a page. */
export async function formInputs({ origin, cookie }: Target): Promise<GrowingInput[]> {
  const inputs: GrowingInput[] = []
  for (const route of pageRoutes.filter(
    (each) => each.startsWith('GET ') && !/logout|assets|docs|share\//.test(each),
  )) {
    const path = route.slice(4).replace(/\{\w+\}/, '1')
    const page = await fetch(origin + path, { headers: { cookie }, redirect: 'manual' })
    const html = await page.text()
    for (const [, action = ''] of html.matchAll(/<form[^>]* action="([^"]*)"/g)) {
      if (/logout|delete/.test(action)) continue
      const fields = fieldsIn(html, action)
      for (const name of Object.keys(fields).filter((each) => each !== 'csrf')) {
        for (const [kind, text] of Object.entries(texts)) {
          const send = async (size: number) => {
            const form = new URLSearchParams({ ...(fields as Record<string, string>), [name]: text(size) })
            const headers = { cookie, origin, 'content-type': 'application/x-www-form-urlencoded' }
            const answer = await fetch(origin + action, { method: 'POST', headers, body: form, redirect: 'manual' })
            await answer.text()
            return answer.status
          }
          // A mark takes six bytes on its way, and most forms have 64 KiB; that of a flight has more.
          const size = action.startsWith('/flights/') ? SIZE : 5_000
          inputs.push({ name: `${path} ${action} ${name} ${kind}`, size, send })
        }
      }
    }
  }
  return inputs
}

const ROWS = 2_000

/** Longer by repetition: the rows of a list, or the lines behind the header. */
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
    // The last of its words that is no name of a column or member lies in a value.
    const word = /ZRH|LSZH|Zurich|LIS|LHR|JFK|FRA/.exec(text.slice(text.indexOf('\n')))?.[0] ?? 'ZRH'
    const long = Object.entries(texts).map(([kind, grow]) => ({
      name: `${file} ${word} ${kind}`,
      size: SIZE,
      send: (size: number) => send(text.replaceAll(word, grow(size))),
    }))
    return [{ name: `${file} rows`, size: ROWS, send: (size: number) => send(manyRows(text, size)) }, ...long]
  })
}
