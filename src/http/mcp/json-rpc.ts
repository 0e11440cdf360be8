import type { JSONRPCErrorResponse, RequestId } from '@modelcontextprotocol/server'
import { isObject } from '../../lib/objects.ts'

/** The codes of JSON-RPC, and the two that MCP 2026-07-28 adds for what this server refuses. */
const rpcCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const

type RpcCode = keyof typeof rpcCodes

interface Circumstances {
  status: number
  data: unknown
  id: RequestId | null
}

/** A failure of the protocol itself; what a tool refuses is a result and not one of these. */
export class RpcError extends Error {
  readonly code: RpcCode
  /** Most failures are answers like others; some eras and rules ask for a status of their own. */
  readonly status: number
  readonly data: unknown
  /** The request that it answers, where one is known that never becomes a message. */
  readonly id: RequestId | null

  constructor(code: RpcCode, message: string, { status = 200, data, id = null }: Partial<Circumstances> = {}) {
    super(message)
    this.name = 'RpcError'
    this.code = code
    this.status = status
    this.data = data
    this.id = id
  }
}

export interface RpcRequest {
  id: RequestId
  method: string
  params: Record<string, unknown>
}

type RpcFailure = Omit<JSONRPCErrorResponse, 'id'> & { id: RequestId | null }

/** What a client sent, short enough to be said back to it. Only text is: an object may be deeper than any stack. */
export const quoted = (value: unknown) =>
  typeof value === 'string' ? JSON.stringify(value.slice(0, 100)) : 'with such a name'

const isId = (value: unknown): value is RequestId => typeof value === 'string' || Number.isSafeInteger(value)

/** The id of a body that may be anything. */
export const idIn = (body: unknown): RequestId | null => (isObject(body) && isId(body.id) ? body.id : null)

const malformed = (message: string) => new RpcError('invalidRequest', message, { status: 400 })

/** The request in a body, or undefined for a notification or a response, which are taken and not answered. */
export function readMessage(body: unknown): RpcRequest | undefined {
  if (Array.isArray(body)) throw malformed('Send one message at a time: batches are not accepted.')
  if (!isObject(body) || body.jsonrpc !== '2.0') throw malformed('The body is not a JSON-RPC 2.0 message.')
  const { id, method, params = {} } = body
  if (method === undefined) {
    if ('error' in body || ('result' in body && isId(id))) return undefined
    throw malformed('The message is neither a request nor a notification nor a response.')
  }
  if (typeof method !== 'string') throw malformed('The method must be text.')
  if (!isObject(params)) throw malformed('The params must be an object.')
  if (!('id' in body)) return undefined
  if (!isId(id)) throw malformed('The id of a request must be text or a whole number.')
  return { id, method, params }
}

/** An answer as text; its result is text already. */
export const success = (id: RequestId, result: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`

export const failure = (id: RequestId | null, { code, message, data }: RpcError): RpcFailure => ({
  jsonrpc: '2.0',
  id,
  error: { code: rpcCodes[code], message, ...(data !== undefined && { data }) },
})
