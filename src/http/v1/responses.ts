import type { OpenAPIV3_1 } from 'openapi-types'
import { ruleOf } from '../../access/policy.ts'
import type { Operation } from '../../contract/operation.ts'
import type { ErrorCode } from '../../lib/errors.ts'

type Responses = Record<string, OpenAPIV3_1.ResponseObject>
type Headers = Record<string, OpenAPIV3_1.HeaderObject>

export const successStatus = (op: Pick<Operation, 'output' | 'created'>) =>
  op.output === null ? 204 : op.created ? 201 : 200

export type Declaration = Omit<Operation, 'run' | 'early'>

export const isRead = ({ route }: Pick<Operation, 'route'>) => route.startsWith('GET ')

/** A created or restored resource has no earlier version to match. */
export const takesIfMatch = (op: Declaration) => op.conditional === true && /^(PUT|DELETE) /.test(op.route)

export function statusesOf(op: Declaration): number[] {
  const { needs, open } = ruleOf(op.id)
  const { params, body, file } = op.input
  return [
    successStatus(op),
    ...(op.conditional && isRead(op) ? [304] : []),
    // Two Host headers are rejected for every operation.
    400,
    ...(open ? [] : [401]),
    ...(needs.length > 0 ? [403] : []),
    ...(params && 'id' in params.shape ? [404] : []),
    ...(op.conflicts || op.idempotent ? [409] : []),
    ...(takesIfMatch(op) ? [412] : []),
    ...(body || file ? [413, 422] : []),
    500,
    // Checking a credential reads the database, which may be unavailable.
    ...(open ? [] : [503]),
  ]
}

const header = (description: string, type: 'string' | 'integer' = 'string'): OpenAPIV3_1.HeaderObject => ({
  description,
  schema: { type },
})

const successes: Record<string, { description: string; headers?: Headers }> = {
  200: { description: 'Success.' },
  201: { description: 'Created. Returns the full record.', headers: { Location: header('Path of the new resource.') } },
  304: { description: 'Not modified: the answer matches `If-None-Match`.' },
  204: { description: 'Success without content.' },
}

interface FailureExtras {
  details?: object[]
  headers?: Headers
}

function failure(name: string, code: ErrorCode, description: string, message: string, extras: FailureExtras = {}) {
  const { details, headers } = extras
  const error = { code, message, ...(details && { details }) }
  const response: OpenAPIV3_1.ResponseObject = {
    description,
    ...(headers && { headers }),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/ErrorResponse' },
        examples: { [code]: { value: { error } } },
      },
    },
  }
  return { name, response }
}

const challenge = {
  'WWW-Authenticate': header(
    'A Bearer challenge: `scope` lists every scope that the call needs, `resource_metadata` is the URL of the protected-resource metadata (RFC 9728).',
  ),
}

const failures: Record<string, ReturnType<typeof failure>> = {
  400: failure(
    'BadRequest',
    'bad_request',
    'A path id or a query parameter is not valid, the body is not JSON (`invalid_json`), or there are two `Host` headers.',
    'The query is not valid: limit must be 100 or less.',
    { details: [{ code: 'too_big', path: ['limit'], message: 'Must be 100 or less.' }] },
  ),
  401: failure(
    'Unauthorized',
    'unauthorized',
    'The bearer credential is missing, malformed, unknown, expired or revoked.',
    'The credential is unknown, expired or revoked.',
    { headers: challenge },
  ),
  403: failure(
    'Forbidden',
    'insufficient_scope',
    'The credential lacks a scope (`insufficient_scope`, with a challenge), or the role of its user does not permit the action (`forbidden`).',
    'This call also needs the scope tracks.write.',
    { headers: challenge },
  ),
  404: failure(
    'NotFound',
    'not_found',
    'The resource does not exist or is not visible to the caller.',
    'This role does not exist.',
  ),
  409: failure('Conflict', 'conflict', 'The request conflicts with stored data.', 'The username mira is taken.'),
  412: failure(
    'PreconditionFailed',
    'precondition_failed',
    'The resource does not match `If-Match`; nothing was written.',
    'This was changed since you read it; read it again.',
  ),
  413: failure('TooLarge', 'bad_request', 'The body is too large.', 'The body is too large.'),
  422: failure(
    'Unprocessable',
    'validation_failed',
    'The body is not valid; see `details`.',
    'The body is not valid; details say what to change.',
    { details: [{ code: 'too_small', path: ['username'], message: 'Must have at least 3 characters.' }] },
  ),
  500: failure(
    'InternalError',
    'internal_error',
    'An unexpected error; the log of the server has the cause.',
    'Something failed on the server; its log has the cause.',
  ),
  503: failure(
    'Busy',
    'internal_error',
    'The server is overloaded, or the database is locked or unavailable.',
    'Too many passwords are waiting for their hash; try again in a few seconds.',
    { headers: { 'Retry-After': header('Seconds to wait.', 'integer') } },
  ),
}

const ETAG = { ETag: header('For `If-None-Match` and `If-Match`.') }

const headerParameter = (name: string, description: string): OpenAPIV3_1.ParameterObject => ({
  name,
  in: 'header',
  description,
  schema: { type: 'string' },
})

const ifNoneMatch = headerParameter(
  'If-None-Match',
  'ETags of answers that you have, or `*`. Returns 304 if one still matches.',
)
const ifMatch = headerParameter(
  'If-Match',
  'The ETag of the resource that you read. Returns 412 if it has changed since.',
)

function describeTags(method: OpenAPIV3_1.OperationObject & { 'x-tagged'?: true }): void {
  if (!method['x-tagged']) return
  delete method['x-tagged']
  const responses = method.responses as Responses
  for (const status of [200, 201, 304]) {
    const response = responses[status]
    if (response) response.headers = { ...response.headers, ...ETAG }
  }
  const parameters = [...(responses[304] ? [ifNoneMatch] : []), ...(responses[412] ? [ifMatch] : [])]
  if (parameters.length > 0) method.parameters = [...(method.parameters ?? []), ...parameters]
}

const idempotencyKey: OpenAPIV3_1.ParameterObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Makes retries safe: for 24 hours, a request with the same key, query and body returns the same answer with `Idempotency-Replayed: true`. Returns 409 with `Retry-After` while the first request is running, and 422 for a different query or body.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[ -~]+$' },
  example: '5f1c7c52-7a0e-4d3c-9b3a-2f6f1f0f8a11',
}
const replayed = header('`true` if this is the answer of an earlier request with the same key.')

function describeIdempotency(method: OpenAPIV3_1.OperationObject & { 'x-idempotent'?: true }): void {
  if (!method['x-idempotent']) return
  delete method['x-idempotent']
  method.parameters = [...(method.parameters ?? []), idempotencyKey]
  for (const [status, response] of Object.entries(method.responses as Responses)) {
    if (status.startsWith('2')) response.headers = { ...response.headers, 'Idempotency-Replayed': replayed }
  }
}

/** OpenAPI expects style and explode beside the schema, not in it. */
function describeLists({ parameters = [] }: OpenAPIV3_1.OperationObject): void {
  for (const parameter of parameters as OpenAPIV3_1.ParameterObject[]) {
    const { style, explode, ...schema } = (parameter.schema ?? {}) as { style?: string; explode?: boolean }
    if (style === undefined) continue
    Object.assign(parameter, { style, explode, schema })
  }
}

export function describeResponses(document: OpenAPIV3_1.Document): void {
  const shared: Responses = {}
  const described = (status: string, response: OpenAPIV3_1.ResponseObject) => {
    const failed = failures[status]
    if (!failed) return { ...response, ...successes[status] }
    shared[failed.name] = failed.response
    return { $ref: `#/components/responses/${failed.name}` }
  }
  for (const path of Object.values(document.paths ?? {})) {
    for (const method of Object.values(path ?? {}) as OpenAPIV3_1.OperationObject[]) {
      const responses = Object.entries(method.responses as Responses)
      method.responses = Object.fromEntries(responses.map(([status, each]) => [status, described(status, each)]))
      describeLists(method)
      describeTags(method)
      describeIdempotency(method)
    }
  }
  document.components = { ...document.components, responses: shared }
}
