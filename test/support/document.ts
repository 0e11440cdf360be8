import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { FastifyInstance } from 'fastify'
import type { OpenAPIV3_1 } from 'openapi-types'
import { openApiDocument } from '../../src/http/v1/openapi.ts'

interface Exchange {
  method: string
  /** Path and query, below the path of BASE_URL. */
  url: string
  status: number
  contentType: string
  /** The parsed JSON body; undefined without one. */
  body: unknown
}

interface DocumentedOperation {
  pattern: RegExp
  path: string
  method: string
  responses: Record<string, OpenAPIV3_1.ResponseObject | OpenAPIV3_1.ReferenceObject>
}

const methods = ['get', 'post', 'put', 'delete'] as const
const plain = (url: string) =>
  url
    .replace(/\?.*$/s, '')
    .replace(/\/{2,}/g, '/')
    .replace(/(?<=.)\/$/, '')
const pointer = (...parts: string[]) => parts.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/')

function operationsOf(document: OpenAPIV3_1.Document): DocumentedOperation[] {
  const found = Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item?.[method]
      const pattern = new RegExp(`^${path.replaceAll('.', '\\.').replace(/\{\w+\}/g, '[^/]+')}$`)
      const responses = operation?.responses as DocumentedOperation['responses'] | undefined
      return responses ? [{ pattern, path, method, responses }] : []
    }),
  )
  // Literal paths first: `/flights/export` is never an `{id}`.
  return found.sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')))
}

/** Holds answers of v1 against the document: every status is listed, and every body has the stated shape. */
export function documentJudge(document: OpenAPIV3_1.Document) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  ajv.addSchema(document, 'document')
  const operations = operationsOf(document)
  const compiled = new Map<string, ValidateFunction>()

  function validator(at: string): ValidateFunction {
    const known = compiled.get(at) ?? ajv.compile({ $ref: `document#/${at}` })
    compiled.set(at, known)
    return known
  }

  function fault(at: string, body: unknown): string | undefined {
    const validate = validator(at)
    return validate(body) ? undefined : `${ajv.errorsText(validate.errors)} in ${JSON.stringify(body).slice(0, 500)}`
  }

  /** What the document says against this answer, or undefined. */
  return function judge({ method, url, status, contentType, body }: Exchange): string | undefined {
    if (method === 'HEAD' || method === 'OPTIONS') return undefined
    const path = plain(url)
    const found = operations.find(({ pattern }) => pattern.test(path))
    const operation = operations.find((each) => each.path === found?.path && each.method === method.toLowerCase())
    // What is refused before an operation is found has no entry of its own, but the shape of every error.
    if (!operation) return fault('components/schemas/ErrorResponse', body)
    const listed = operation.responses[status]
    const name = `${method} ${operation.path} ${status}`
    if (!listed) return `${name} is not in the document.`
    // Refusals are shared, and all have the one shape.
    if ('$ref' in listed) return fault('components/schemas/ErrorResponse', body)
    const types = Object.keys(listed.content ?? {})
    const type = types.find((each) => contentType.startsWith(each)) ?? types[0]
    if (!type) return body === undefined ? undefined : `${name} has a body that the document does not have.`
    if (!contentType.startsWith(type)) return `${name} has the type ${contentType} instead of ${type}.`
    if (type !== 'application/json') return undefined
    const at = pointer(
      'paths',
      operation.path,
      operation.method,
      'responses',
      String(status),
      'content',
      type,
      'schema',
    )
    const wrong = fault(at, body)
    return wrong && `${name}: ${wrong}`
  }
}

const judges = new Map<string, ReturnType<typeof documentJudge>>()

/** The judge of an app; apps with the same operations share one, since compiling it is slow. */
export function judgeOf(app: FastifyInstance, key: string) {
  const known = judges.get(key) ?? documentJudge(openApiDocument(app))
  judges.set(key, known)
  return known
}
