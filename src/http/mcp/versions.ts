import type { IncomingHttpHeaders } from 'node:http'
import { isObject } from '../../lib/objects.ts'
import { findId, RpcError, type RpcRequest } from './json-rpc.ts'

const handshakeVersions = ['2025-03-26', '2025-06-18', '2025-11-25']
const STATELESS = '2026-07-28'

export const versions = [...handshakeVersions, STATELESS]

/** Versions of 2025 have a handshake; since 2026-07-28 each request is self-contained. */
export type Era = 'handshake' | 'stateless'

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities'
export const SERVER_KEY = 'io.modelcontextprotocol/serverInfo'

const text = (header: string | string[] | undefined) => (Array.isArray(header) ? header.join(', ') : header)

export const negotiateVersion = (requested: unknown): string =>
  handshakeVersions.find((version) => version === requested) ?? handshakeVersions.at(-1)!

export function requireSupportedVersion(headers: IncomingHttpHeaders, body: unknown): void {
  const requested = text(headers['mcp-protocol-version'])
  if (requested === undefined || versions.includes(requested)) return
  throw new RpcError('unsupportedVersion', `The protocol version ${requested} is not supported.`, {
    status: 400,
    data: { supported: versions, requested },
    id: findId(body),
  })
}

const mismatch = (message: string) => new RpcError('headerMismatch', message, { status: 400 })

const namedBy: Readonly<Record<string, string>> = { 'tools/call': 'name', 'resources/read': 'uri' }

/** Decodes `=?base64?…?=`; undefined if it is not base64 of UTF-8. */
function decodeHeader(header: string): string | undefined {
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

/** Proxies read these headers instead of the body. */
function requireSameHeaders({ method, params }: RpcRequest, headers: IncomingHttpHeaders): void {
  if (text(headers['mcp-method']) !== method) throw mismatch('The header Mcp-Method must be the method of the body.')
  const member = Object.hasOwn(namedBy, method) ? namedBy[method] : undefined
  const name = member && params[member]
  if (typeof name !== 'string') return
  const header = text(headers['mcp-name'])
  if (header === undefined || decodeHeader(header) !== name) {
    throw mismatch(`The header Mcp-Name must be params.${member} of the body.`)
  }
}

/** Contract 9.1. */
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
