import { type DocumentedOperation, resolve, type Schema } from './document.ts'

const plain: Record<string, unknown> = { string: 'text', integer: 1, number: 1, boolean: true }

/** A body that shows the shape: what the schema gives as an example, else what it requires. */
function exampleOf(schema: Schema, schemas: Record<string, Schema>): unknown {
  const { own, type } = resolve(schema, schemas)
  if (own.examples && own.examples.length > 0) return own.examples[0]
  if (own.enum) return own.enum[0]
  if (own.const !== undefined) return own.const
  if (type === 'array') return Array.from({ length: own.minItems ?? 1 }, () => exampleOf(own.items ?? {}, schemas))
  if (type !== 'object') return plain[type ?? 'string']
  const wanted = Object.entries(own.properties ?? {}).filter(([name]) => own.required?.includes(name))
  return Object.fromEntries(wanted.map(([name, member]) => [name, exampleOf(member, schemas)]))
}

/** Parameters that cannot do without a value, and what to write there. */
const usual: Record<string, string> = { id: '1', query: 'zurich', code: 'IS' }

/** The text of the body that the form and the command begin with; undefined without a body. */
export function bodyText({ body }: DocumentedOperation, schemas: Record<string, Schema>): string | undefined {
  if (body?.type !== 'application/json') return undefined
  return JSON.stringify(exampleOf(body.schema, schemas), null, 2)
}

/** Single quotes keep everything but a single quote as it is. */
const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** A command for a terminal that calls this operation on this instance. */
export function curlOf(operation: DocumentedOperation, schemas: Record<string, Schema>, baseUrl: string): string {
  const { method, path, parameters, open, body } = operation
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => usual[name] ?? '1')
  const query = parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
  const search = query.map((parameter) => `${parameter.name}=${usual[parameter.name] ?? 'text'}`).join('&')
  const text = bodyText(operation, schemas)
  const lines = [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "${baseUrl}${filled}${search && `?${search}`}"`,
    !open && '-H "Authorization: Bearer $KEY"',
    text !== undefined && `-d ${quoted(text)}`,
    body && text === undefined && '--data-binary @flights.csv',
  ]
  return lines.filter(Boolean).join(' \\\n  ')
}
