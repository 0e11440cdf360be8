import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { FastifyInstance } from 'fastify'
import type { OpenAPIV3_1 } from 'openapi-types'
import { openApiDocument } from '../../src/http/v1/openapi.ts'

interface Exchange {
  method: string
  /** Path and query, relative to the path of BASE_URL. */
  url: string
  status: number
  contentType: string
  /** The parsed JSON body, if any. */
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
  // Literal paths take precedence: `/flights/export` is not an `{id}`.
  return found.sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')))
}

/** Checks that the status and body of v1 responses match the OpenAPI document. */
export function responseValidator(document: OpenAPIV3_1.Document) {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  ajv.addSchema(document, 'document')
  const operations = operationsOf(document)
  const compiled = new Map<string, ValidateFunction>()

  function validator(at: string): ValidateFunction {
    const known = compiled.get(at) ?? ajv.compile({ $ref: `document#/${at}` })
    compiled.set(at, known)
    return known
  }

  function problemWith(at: string, body: unknown): string | undefined {
    const validate = validator(at)
    return validate(body) ? undefined : `${ajv.errorsText(validate.errors)} in ${JSON.stringify(body).slice(0, 500)}`
  }

  /** Returns the first problem, or undefined. */
  return function validateResponse({ method, url, status, contentType, body }: Exchange): string | undefined {
    if (method === 'HEAD' || method === 'OPTIONS') return undefined
    const path = plain(url)
    const found = operations.find(({ pattern }) => pattern.test(path))
    const operation = operations.find((each) => each.path === found?.path && each.method === method.toLowerCase())
    // Errors before routing are not listed but have the common format.
    if (!operation) return problemWith('components/schemas/ErrorResponse', body)
    const listed = operation.responses[status]
    const name = `${method} ${operation.path} ${status}`
    if (!listed) return `${name} is not in the document.`
    // Errors are shared responses with the common format.
    if ('$ref' in listed) return problemWith('components/schemas/ErrorResponse', body)
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
    const problem = problemWith(at, body)
    return problem && `${name}: ${problem}`
  }
}

const validators = new Map<string, ReturnType<typeof responseValidator>>()

/** The validator of an app. Apps with the same operations share one, because compiling is slow. */
export function responseValidatorOf(app: FastifyInstance, key: string) {
  const known = validators.get(key) ?? responseValidator(openApiDocument(app))
  validators.set(key, known)
  return known
}
