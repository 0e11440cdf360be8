import type { OpenAPIV3_1 } from 'openapi-types'
import { responseValidator } from '../../support/document.ts'
import type { FuzzRequest, RawResponse } from './exchange.ts'
import { parseResponse } from './exchange.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const DETAIL_CODES = ['invalid_type', 'invalid_value', 'invalid_format', 'too_small', 'too_big', 'custom']
const PAGE_HEADERS: Record<string, RegExp> = {
  'x-frame-options': /^DENY$/,
  'referrer-policy': /^no-referrer$/,
  'cache-control': /^no-store$/,
  'content-security-policy':
    /^default-src 'none'; style-src 'self'; script-src 'self'( 'wasm-unsafe-eval')?; img-src 'self' data:; font-src 'self'; connect-src 'self'; form-action 'self'[^;]*; base-uri 'none'; frame-ancestors 'none'(; manifest-src 'self')?(; worker-src 'self')?$/,
}

export type Surface = 'v1' | 'legacy' | 'mcp' | 'oauth' | 'wellKnown' | 'health' | 'page'

/** The surface of a path by contract 1.1. */
export function surfaceOf(target: string): Surface {
  const plain = target
    .replace(/\?.*$/s, '')
    .replace(/\/{2,}/g, '/')
    .replace(/(?<=.)\/$/, '')
  const path = plain.replace(/%[2-7][\da-f]/gi, (code) => {
    const letter = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return /[\w.~-]/.test(letter) ? letter : code
  })
  const isUnder = (root: string) => path === root || path.startsWith(`${root}/`)
  if (isUnder('/api/flight') || isUnder('/api/stats')) return 'legacy'
  if (isUnder('/api/mcp')) return 'mcp'
  if (path === '/api/ping' || path === '/health' || path === '/ready') return 'health'
  if (isUnder('/api')) return 'v1'
  if (isUnder('/.well-known') || path === '/oauth/jwks') return 'wellKnown'
  return ['/oauth/token', '/oauth/register', '/oauth/revoke'].includes(path) ? 'oauth' : 'page'
}

type AddProblem = (text: string) => void

function checkErrorObject(body: unknown, addProblem: AddProblem): void {
  const error = (body as { error?: { code?: unknown; message?: unknown; details?: unknown[] } } | undefined)?.error
  if (typeof error?.code !== 'string' || typeof error.message !== 'string')
    return void addProblem('not an error object of v1')
  if (!/^[A-Z].*\.$/s.test(error.message)) addProblem('the message is not a sentence')
  const details = error.details ?? []
  if (details.length > 50) addProblem('more than 50 details')
  for (const each of details as { code: string; path: unknown[]; message: unknown }[]) {
    if (!DETAIL_CODES.includes(each.code)) addProblem(`the detail code ${each.code} does not exist`)
    if (!each.path.every((part) => typeof part === 'string'))
      addProblem('a path of a detail has values that are not strings')
    if (typeof each.message !== 'string') addProblem('a detail without a message')
  }
}

/** Checks responses against the contract and returns a list of problems. */
export function responseChecker(document: OpenAPIV3_1.Document) {
  const checkByDocument = responseValidator(document)

  const checks: Record<
    Surface,
    (request: FuzzRequest, answer: RawResponse, body: unknown, addProblem: AddProblem) => void
  > = {
    v1({ method, target }, { status, headers }, body, addProblem) {
      if (headers['access-control-allow-origin'] !== '*') addProblem('no open CORS')
      if (status === 401 && !headers['www-authenticate']?.startsWith('Bearer ')) addProblem('no challenge')
      if (status >= 400) checkErrorObject(body, addProblem)
      if (status >= 400 && headers['cache-control'] !== 'private, no-store') addProblem('an error that may be cached')
      if (status === 405 && !headers.allow) addProblem('405 without Allow')
      const path = target.replace(/%76%31/g, 'v1')
      if (!/^\/*api\/+v1(\/|\?|$)/.test(path)) return
      // A malformed path is rejected before routing.
      if (
        status === 400 &&
        (body as { error?: { message?: string } })?.error?.message === 'The path is not validly encoded.'
      )
        return
      const contentType = headers['content-type'] ?? ''
      const problem = checkByDocument({ method, url: path, status, contentType, body })
      if (problem) addProblem(problem)
    },
    legacy(_request, { status, headers }, body, addProblem) {
      if (headers.deprecation !== '@1767225600' || !headers.link) addProblem('no deprecation headers')
      if (headers['access-control-allow-origin']) addProblem('CORS on a legacy path')
      if (status < 400) return
      const { success, message, errors, ...more } = (body ?? {}) as Record<string, unknown>
      if (success !== false || typeof message !== 'string' || Object.keys(more).length > 0)
        addProblem('not the legacy error')
      if (errors !== undefined && (status !== 400 || !Array.isArray(errors))) addProblem('unexpected errors property')
    },
    mcp({ method }, { status, headers }, body, addProblem) {
      if (headers['access-control-allow-origin'] !== '*') addProblem('no open CORS')
      if ([401, 403, 405, 406, 413, 415, 429].includes(status)) return checkErrorObject(body, addProblem)
      if (status === 404 && (body as { jsonrpc?: string })?.jsonrpc !== '2.0') return checkErrorObject(body, addProblem)
      if (status === 202 || method !== 'POST') return
      const message = body as {
        jsonrpc?: string
        error?: { code?: number; message?: string }
        result?: object
        id?: unknown
      }
      if (status === 400 && (message as { error?: { code?: unknown } })?.error?.code === 'bad_request') return
      if (message?.jsonrpc !== '2.0' || !('id' in message)) return addProblem('not a JSON-RPC message')
      if (status !== 200 && !message.error) addProblem('a status without an error')
      if (message.error && (!Number.isInteger(message.error.code) || typeof message.error.message !== 'string'))
        addProblem('an invalid JSON-RPC error')
      if (!message.error && !message.result) addProblem('neither result nor error')
    },
    oauth(_request, { status, headers }, body, addProblem) {
      if (headers['access-control-allow-origin'] !== '*') addProblem('no open CORS')
      if (headers['cache-control'] !== 'no-store' || headers.pragma !== 'no-cache')
        addProblem('a response that may be cached')
      if (status < 400) return
      const { error, error_description: description, ...more } = (body ?? {}) as Record<string, unknown>
      if (typeof error !== 'string' || Object.keys(more).length > 0) addProblem('not an OAuth error')
      if (!/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/.test(String(description)))
        addProblem('a description with invalid characters')
      if (status === 401 && headers['www-authenticate'] !== 'Basic realm="Paxlog"')
        addProblem('401 without a challenge')
      if (status === 405 && !headers.allow) addProblem('405 without Allow')
    },
    wellKnown(_request, { status, headers }, body, addProblem) {
      if (headers['access-control-allow-origin'] !== '*') addProblem('no open CORS')
      if (status >= 400) checkErrorObject(body, addProblem)
      if (status === 405 && !headers.allow) addProblem('405 without Allow')
    },
    health() {},
    page({ target }, { status, headers, body }, _parsed, addProblem) {
      if (headers['access-control-allow-origin']) addProblem('CORS on a page')
      if (/^\/(assets\/|manifest\.|service-worker\.)/.test(target) && status === 200) return
      const type = /^\/share\/[^/]+\/map\.png/.test(target) ? 'image/png' : 'application/json'
      if (
        status === 200 &&
        headers['content-type']?.startsWith(type) &&
        /map\.(png|json)|^\/+(search\/|map\/data|import\/progress)/.test(target)
      )
        return
      for (const [name, expected] of Object.entries(PAGE_HEADERS)) {
        if (!expected.test(headers[name] ?? '')) addProblem(`the header ${name} is ${headers[name]}`)
      }
      if (status === 303) return void (headers.location || addProblem('303 without Location'))
      // The scripts of passkeys expect JSON.
      const isPasskey = /^\/+(login\/passkey|settings\/security\/passkeys)(\/options)?(\?|$)/.test(target)
      if (isPasskey && headers['content-type'] === JSON_TYPE) return
      if (!headers['content-type']?.startsWith('text/html')) addProblem(`a page of type ${headers['content-type']}`)
      if (body.length > 0 && !body.toString('utf8', 0, 15).toLowerCase().startsWith('<!doctype html>'))
        addProblem('a page without a doctype')
    },
  }

  function parseBody({ headers, body }: RawResponse, addProblem: AddProblem): unknown {
    if (body.length === 0 || !headers['content-type']?.startsWith('application/json')) return undefined
    if (headers['content-type'] !== JSON_TYPE) addProblem(`the type ${headers['content-type']}`)
    try {
      return JSON.parse(body.toString())
    } catch {
      addProblem('a body that is not JSON')
      return undefined
    }
  }

  function responseProblems(request: FuzzRequest, answer: RawResponse): string[] {
    const found: string[] = []
    const addProblem = (text: string) => void found.push(text)
    const { status, headers, body } = answer
    if (status >= 500 || status < 200) addProblem(`status ${status}`)
    if (headers['x-content-type-options'] !== 'nosniff') addProblem('no nosniff')
    const surface = surfaceOf(request.target)
    if (request.method === 'HEAD') return found
    if (request.method === 'OPTIONS' && status === 204) return found
    if (surface !== 'page' && surface !== 'health' && headers['content-type']?.startsWith('text/html'))
      addProblem(`HTML on ${surface}`)
    checks[surface](request, answer, parseBody(answer, addProblem), addProblem)
    if (body.includes('SqliteError') || body.includes('node_modules')) addProblem('a response with internal details')
    return found
  }

  /** Responses to arbitrary bytes must be complete and no server error. */
  function rawProblems(bytes: Buffer): string[] {
    try {
      for (let rest = bytes; rest.length > 0; ) {
        const found = parseResponse(rest, 'GET')
        if (!found) return ['incomplete response']
        const { status } = found.answer
        if (status >= 500 || (status > 204 && status < 400)) return [`status ${status}`]
        rest = found.rest
      }
      return []
    } catch (error) {
      return [(error as Error).message]
    }
  }
  return { responseProblems, rawProblems }
}
