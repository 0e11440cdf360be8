import type { OpenAPIV3_1 } from 'openapi-types'
import { documentJudge } from '../../support/document.ts'
import type { RawAnswer, Shot } from './exchange.ts'
import { readAnswer } from './exchange.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const DETAIL_CODES = ['invalid_type', 'invalid_value', 'invalid_format', 'too_small', 'too_big', 'custom']
const PAGE_HEADERS: Record<string, RegExp> = {
  'x-frame-options': /^DENY$/,
  'referrer-policy': /^no-referrer$/,
  'cache-control': /^no-store$/,
  'content-security-policy':
    /^default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'self'[^;]*; base-uri 'none'; frame-ancestors 'none'(; manifest-src 'self')?(; worker-src 'self')?$/,
}

export type Surface = 'v1' | 'legacy' | 'mcp' | 'oauth' | 'wellKnown' | 'health' | 'page'

/** Which surface a path belongs to, as contract 1.1 reads it. */
export function surfaceOf(target: string): Surface {
  const plain = target
    .replace(/\?.*$/s, '')
    .replace(/\/{2,}/g, '/')
    .replace(/(?<=.)\/$/, '')
  const path = plain.replace(/%[2-7][\da-f]/gi, (code) => {
    const letter = String.fromCharCode(Number.parseInt(code.slice(1), 16))
    return /[\w.~-]/.test(letter) ? letter : code
  })
  const below = (root: string) => path === root || path.startsWith(`${root}/`)
  if (below('/api/flight') || below('/api/stats')) return 'legacy'
  if (below('/api/mcp')) return 'mcp'
  if (path === '/api/ping' || path === '/health' || path === '/ready') return 'health'
  if (below('/api')) return 'v1'
  if (below('/.well-known') || path === '/oauth/jwks') return 'wellKnown'
  return ['/oauth/token', '/oauth/register', '/oauth/revoke'].includes(path) ? 'oauth' : 'page'
}

type Complain = (text: string) => void

function isErrorObject(body: unknown, complain: Complain): void {
  const error = (body as { error?: { code?: unknown; message?: unknown; details?: unknown[] } } | undefined)?.error
  if (typeof error?.code !== 'string' || typeof error.message !== 'string')
    return void complain('no error object of v1')
  if (!/^[A-Z].*\.$/s.test(error.message)) complain('its message is no sentence')
  const details = error.details ?? []
  if (details.length > 50) complain('more than 50 details')
  for (const each of details as { code: string; path: unknown[]; message: unknown }[]) {
    if (!DETAIL_CODES.includes(each.code)) complain(`the detail code ${each.code} does not exist`)
    if (!each.path.every((part) => typeof part === 'string')) complain('a path is not of texts')
    if (typeof each.message !== 'string') complain('a detail without a message')
  }
}

/** Judges answers against the contract; what it finds is a list of sentences. */
export function answerJudge(document: OpenAPIV3_1.Document) {
  const byDocument = documentJudge(document)

  const judges: Record<Surface, (shot: Shot, answer: RawAnswer, body: unknown, complain: Complain) => void> = {
    v1({ method, target }, { status, headers }, body, complain) {
      if (headers['access-control-allow-origin'] !== '*') complain('no open CORS')
      if (status === 401 && !headers['www-authenticate']?.startsWith('Bearer ')) complain('no challenge')
      if (status >= 400) isErrorObject(body, complain)
      if (status >= 400 && headers['cache-control'] !== 'private, no-store') complain('a refusal that may be kept')
      if (status === 405 && !headers.allow) complain('405 without Allow')
      const path = target.replace(/%76%31/g, 'v1')
      if (!/^\/*api\/+v1(\/|\?|$)/.test(path)) return
      // A path that cannot be decoded is refused before any operation is found.
      if (
        status === 400 &&
        (body as { error?: { message?: string } })?.error?.message === 'The path is not validly encoded.'
      )
        return
      const contentType = headers['content-type'] ?? ''
      const fault = byDocument({ method, url: path, status, contentType, body })
      if (fault) complain(fault)
    },
    legacy(_shot, { status, headers }, body, complain) {
      if (headers.deprecation !== '@1767225600' || !headers.link) complain('no headers of deprecation')
      if (headers['access-control-allow-origin']) complain('CORS on a legacy path')
      if (status < 400) return
      const { success, message, errors, ...more } = (body ?? {}) as Record<string, unknown>
      if (success !== false || typeof message !== 'string' || Object.keys(more).length > 0)
        complain('not the legacy error')
      if (errors !== undefined && (status !== 400 || !Array.isArray(errors))) complain('errors where none belong')
    },
    mcp({ method }, { status, headers }, body, complain) {
      if (headers['access-control-allow-origin'] !== '*') complain('no open CORS')
      if ([401, 403, 405, 406, 413, 415, 429].includes(status)) return isErrorObject(body, complain)
      if (status === 404 && (body as { jsonrpc?: string })?.jsonrpc !== '2.0') return isErrorObject(body, complain)
      if (status === 202 || method !== 'POST') return
      const message = body as {
        jsonrpc?: string
        error?: { code?: number; message?: string }
        result?: object
        id?: unknown
      }
      if (status === 400 && (message as { error?: { code?: unknown } })?.error?.code === 'bad_request') return
      if (message?.jsonrpc !== '2.0' || !('id' in message)) return complain('no JSON-RPC message')
      if (status !== 200 && !message.error) complain('a status without an error')
      if (message.error && (!Number.isInteger(message.error.code) || typeof message.error.message !== 'string'))
        complain('a broken JSON-RPC error')
      if (!message.error && !message.result) complain('neither result nor error')
    },
    oauth(_shot, { status, headers }, body, complain) {
      if (headers['access-control-allow-origin'] !== '*') complain('no open CORS')
      if (headers['cache-control'] !== 'no-store' || headers.pragma !== 'no-cache')
        complain('an answer that may be kept')
      if (status < 400) return
      const { error, error_description: description, ...more } = (body ?? {}) as Record<string, unknown>
      if (typeof error !== 'string' || Object.keys(more).length > 0) complain('not the error of OAuth')
      if (!/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/.test(String(description))) complain('a description with odd characters')
      if (status === 401 && headers['www-authenticate'] !== 'Basic realm="Paxlog"') complain('401 without a challenge')
      if (status === 405 && !headers.allow) complain('405 without Allow')
    },
    wellKnown(_shot, { status, headers }, body, complain) {
      if (headers['access-control-allow-origin'] !== '*') complain('no open CORS')
      if (status >= 400) isErrorObject(body, complain)
      if (status === 405 && !headers.allow) complain('405 without Allow')
    },
    health() {},
    page({ target }, { status, headers, body }, _parsed, complain) {
      if (headers['access-control-allow-origin']) complain('CORS on a page')
      if (/^\/(assets\/|manifest\.)/.test(target) && status === 200) return
      const type = /^\/share\/[^/]+\/map\.png/.test(target) ? 'image/png' : 'application/json'
      if (
        status === 200 &&
        headers['content-type']?.startsWith(type) &&
        /map\.(png|json)|^\/+(search\/|map\/data)/.test(target)
      )
        return
      for (const [name, wanted] of Object.entries(PAGE_HEADERS)) {
        if (!wanted.test(headers[name] ?? '')) complain(`the header ${name} is ${headers[name]}`)
      }
      if (status === 303) return void (headers.location || complain('303 without Location'))
      if (!headers['content-type']?.startsWith('text/html')) complain(`a page of type ${headers['content-type']}`)
      if (body.length > 0 && !body.toString('utf8', 0, 15).toLowerCase().startsWith('<!doctype html>'))
        complain('a page that is no document')
    },
  }

  function parsed({ headers, body }: RawAnswer, complain: Complain): unknown {
    if (body.length === 0 || !headers['content-type']?.startsWith('application/json')) return undefined
    if (headers['content-type'] !== JSON_TYPE) complain(`the type ${headers['content-type']}`)
    try {
      return JSON.parse(body.toString())
    } catch {
      complain('a body that is no JSON')
      return undefined
    }
  }

  function faultsOf(shot: Shot, answer: RawAnswer): string[] {
    const found: string[] = []
    const complain = (text: string) => void found.push(text)
    const { status, headers, body } = answer
    if (status >= 500 || status < 200) complain(`status ${status}`)
    if (headers['x-content-type-options'] !== 'nosniff') complain('no nosniff')
    const surface = surfaceOf(shot.target)
    if (shot.method === 'HEAD') return found
    if (shot.method === 'OPTIONS' && status === 204) return found
    if (surface !== 'page' && surface !== 'health' && headers['content-type']?.startsWith('text/html'))
      complain(`HTML on ${surface}`)
    judges[surface](shot, answer, parsed(answer, complain), complain)
    if (body.includes('SqliteError') || body.includes('node_modules')) complain('an answer that tells of the inside')
    return found
  }

  /** Answers to bytes that need not be HTTP: every one is whole, and none is a failure of the server. */
  function rawFaults(bytes: Buffer): string[] {
    try {
      for (let rest = bytes; rest.length > 0; ) {
        const found = readAnswer(rest, 'GET')
        if (!found) return ['half an answer']
        const { status } = found.answer
        if (status >= 500 || (status > 204 && status < 400)) return [`status ${status}`]
        rest = found.rest
      }
      return []
    } catch (error) {
      return [(error as Error).message]
    }
  }
  return { faultsOf, rawFaults }
}
