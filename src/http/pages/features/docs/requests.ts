import { type DocumentedOperation, type Reference, resolve, type Schema } from './document.ts'

type Schemas = Reference['schemas']

const exampleValues: Record<string, unknown> = { string: 'text', integer: 1, number: 1, boolean: true }

/** The example of the schema, or one with the required members. */
function exampleOf(schema: Schema, schemas: Schemas): unknown {
  const { own, type } = resolve(schema, schemas)
  if (own.examples && own.examples.length > 0) return own.examples[0]
  if (own.enum) return own.enum[0]
  if (own.const !== undefined) return own.const
  if (type === 'array') return Array.from({ length: own.minItems ?? 1 }, () => exampleOf(own.items ?? {}, schemas))
  if (type !== 'object') return exampleValues[type ?? 'string']
  const required = Object.entries(own.properties ?? {}).filter(([name]) => own.required?.includes(name))
  return Object.fromEntries(required.map(([name, member]) => [name, exampleOf(member, schemas)]))
}

/** Undefined for operations without a JSON body. */
export function bodyText({ body }: DocumentedOperation, schemas: Schemas): string | undefined {
  if (body?.type !== 'application/json') return undefined
  return JSON.stringify(exampleOf(body.schema, schemas), null, 2)
}

const exampleParameters: Record<string, string> = { id: '1', query: 'zurich', code: 'IS' }

/** By the first content type that an operation accepts. */
const exampleFiles: Record<string, string> = { 'text/plain': 'boarding-passes.txt' }

/** A request that a program can send, with placeholders for parameters. */
function requestOf(operation: DocumentedOperation, schemas: Schemas, baseUrl: string) {
  const { method, path, parameters, open, body } = operation
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => exampleParameters[name] ?? '1')
  const query = parameters.filter((parameter) => parameter.in === 'query' && parameter.required)
  const search = query.map(({ name }) => `${name}=${exampleParameters[name] ?? 'text'}`).join('&')
  const json = bodyText(operation, schemas)
  return {
    method,
    url: `${baseUrl}${filled}${search && `?${search}`}`,
    needsKey: !open,
    json,
    /** The type of a file that is sent as it is. */
    fileType: json === undefined ? body?.type : undefined,
    fileName: exampleFiles[body?.type ?? ''] ?? 'flights.csv',
  }
}

type ExampleRequest = ReturnType<typeof requestOf>

const indented = (text: string, spaces: number) => text.replaceAll('\n', `\n${' '.repeat(spaces)}`)

const shellQuoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

const curlOf = ({ method, url, needsKey, json, fileType, fileName }: ExampleRequest) =>
  [
    `curl${method === 'GET' ? '' : ` -X ${method}`} "${url}"`,
    needsKey && '-H "Authorization: Bearer $KEY"',
    json !== undefined && `-d ${shellQuoted(json)}`,
    fileType && `--data-binary @${fileName}`,
  ]
    .filter(Boolean)
    .join(' \\\n  ')

function javascriptOf({ method, url, needsKey, json, fileType, fileName }: ExampleRequest): string {
  const type = json === undefined ? fileType : 'application/json'
  const headers = [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
    needsKey && 'Authorization: `Bearer ${env.KEY}`',
    type && `'Content-Type': '${type}'`,
  ].filter(Boolean)
  const body = json === undefined ? `await readFile('${fileName}')` : `JSON.stringify(${indented(json, 2)})`
  const imports = [
    fileType && "import { readFile } from 'node:fs/promises'",
    needsKey && "import { env } from 'node:process'",
  ].filter(Boolean)
  const options = [
    method !== 'GET' && `method: '${method}',`,
    headers.length > 0 && `headers: { ${headers.join(', ')} },`,
    type && `body: ${body},`,
  ].filter(Boolean)
  return [
    ...imports,
    ...(imports.length > 0 ? [''] : []),
    options.length === 0
      ? `const response = await fetch('${url}')`
      : `const response = await fetch('${url}', {\n  ${options.join('\n  ')}\n})`,
    'console.log(response.status, await response.text())',
  ].join('\n')
}

const pythonWords: Record<string, string> = { null: 'None', true: 'True', false: 'False' }

/** JSON and Python differ in three words only. */
const pythonLiteral = (json: string) =>
  json.replace(/"(?:\\.|[^"\\])*"|\b(?:null|true|false)\b/g, (token) => pythonWords[token] ?? token)

/** With the standard library only. */
function pythonOf({ method, url, needsKey, json, fileType, fileName }: ExampleRequest): string {
  const type = json === undefined ? fileType : 'application/json'
  const headers = [
    needsKey && `"Authorization": f"Bearer {os.environ['KEY']}"`,
    type && `"Content-Type": "${type}"`,
  ].filter(Boolean)
  const body =
    json === undefined ? `open("${fileName}", "rb").read()` : `json.dumps(${indented(pythonLiteral(json), 4)}).encode()`
  const options = [
    method !== 'GET' && `method="${method}",`,
    headers.length > 0 && `headers={${headers.join(', ')}},`,
    type && `data=${body},`,
  ].filter(Boolean)
  return [
    ...(json === undefined ? [] : ['import json']),
    ...(needsKey ? ['import os'] : []),
    'from urllib.request import Request, urlopen',
    '',
    `request = Request(\n    ${[`"${url}",`, ...options].join('\n    ')}\n)`,
    'with urlopen(request) as response:',
    '    print(response.status, response.read().decode())',
  ].join('\n')
}

/** The same request in several languages. Their names are not translated. */
export function exampleRequests(operation: DocumentedOperation, schemas: Schemas, baseUrl: string) {
  const request = requestOf(operation, schemas, baseUrl)
  return [
    { id: 'curl', name: 'curl', text: curlOf(request) },
    { id: 'javascript', name: 'JavaScript', text: javascriptOf(request) },
    { id: 'python', name: 'Python', text: pythonOf(request) },
  ]
}
