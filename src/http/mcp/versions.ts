import type { IncomingHttpHeaders } from 'node:http'
import { isObject } from '../../lib/objects.ts'
import { idIn, RpcError, type RpcRequest } from './json-rpc.ts'

/** Served with `initialize`, oldest first. */
const handshakeVersions = ['2025-03-26', '2025-06-18', '2025-11-25']
const STATELESS = '2026-07-28'

export const versions = [...handshakeVersions, STATELESS]

/** With the handshake of 2025, or with everything in each request since 2026-07-28. */
export type Era = 'handshake' | 'stateless'

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities'
export const SERVER_KEY = 'io.modelcontextprotocol/serverInfo'

const text = (header: string | string[] | undefined) => (Array.isArray(header) ? header.join(', ') : header)

/** The version of a handshake: the one asked for when it is served, else the newest. */
export const negotiated = (asked: unknown): string =>
  handshakeVersions.find((version) => version === asked) ?? handshakeVersions.at(-1)!

/** Refuses a version that is not served, whatever the message is that came with it. */
export function requireServed(headers: IncomingHttpHeaders, body: unknown): void {
  const requested = text(headers['mcp-protocol-version'])
  if (requested === undefined || versions.includes(requested)) return
  throw new RpcError('unsupportedVersion', `The protocol version ${requested} is not served.`, {
    status: 400,
    data: { supported: versions, requested },
    id: idIn(body),
  })
}

const mismatch = (message: string) => new RpcError('headerMismatch', message, { status: 400 })

/** Which member of the params the header `Mcp-Name` repeats. */
const namedBy: Readonly<Record<string, string>> = { 'tools/call': 'name', 'resources/read': 'uri' }

/** `=?base64?…?=` carries what a header cannot; undefined when it is no base64 of UTF-8. */
function decoded(header: string): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(header)?.[1]
  if (encoded === undefined) return header
  const bytes = Buffer.from(encoded, 'base64')
  const plain = bytes.toString()
  return bytes.toString('base64') === encoded && Buffer.from(plain).equals(bytes) ? plain : undefined
}

function requireEnvelope(meta: unknown): void {
  const found = isObject(meta) ? meta : {}
  const missing = [
    ...(typeof found[VERSION_KEY] === 'string' ? [] : [VERSION_KEY]),
    ...(isObject(found[CAPABILITIES_KEY]) ? [] : [CAPABILITIES_KEY]),
  ]
  if (missing.length === 0) return
  throw new RpcError('invalidParams', `The request needs ${missing.join(' and ')} in params._meta.`, { status: 400 })
}

/** Headers that repeat the body, for proxies that do not read it, must say the same. */
function requireSameHeaders({ method, params }: RpcRequest, headers: IncomingHttpHeaders): void {
  if (text(headers['mcp-method']) !== method) throw mismatch('The header Mcp-Method must be the method of the body.')
  const member = Object.hasOwn(namedBy, method) ? namedBy[method] : undefined
  const name = member && params[member]
  if (typeof name !== 'string') return
  const header = text(headers['mcp-name'])
  if (header === undefined || decoded(header) !== name) {
    throw mismatch(`The header Mcp-Name must be params.${member} of the body.`)
  }
}

/** Tells by which rules a request is served, and holds it to them (contract 9.1). */
export function eraOf(request: RpcRequest, headers: IncomingHttpHeaders): Era {
  const { _meta: meta } = request.params
  const header = text(headers['mcp-protocol-version'])
  const claimed = isObject(meta) ? meta[VERSION_KEY] : undefined
  if (header !== STATELESS && claimed !== STATELESS) return 'handshake'
  requireEnvelope(meta)
  if (header !== claimed) throw mismatch('The header MCP-Protocol-Version must be the version in params._meta.')
  requireSameHeaders(request, headers)
  return 'stateless'
}
