import type { RequestId } from '@modelcontextprotocol/server'
import { isObject } from '../../lib/objects.ts'

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

interface RpcErrorOptions {
  status?: number
  data?: unknown
  id?: RequestId | null
}

/** A protocol error. Errors of tools are results instead. */
export class RpcError extends Error {
  override name = 'RpcError'
  readonly code: RpcCode
  /** Some protocol versions require another status than 200. */
  readonly status: number
  readonly data: unknown
  /** The id of a request that could not be parsed completely. */
  readonly id: RequestId | null

  constructor(code: RpcCode, message: string, { status = 200, data, id = null }: RpcErrorOptions = {}) {
    super(message)
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

/** Quotes client input in error messages. Only text, because an object may be nested too deeply. */
export const quoted = (value: unknown) =>
  typeof value === 'string' ? JSON.stringify(value.slice(0, 100)) : 'with such a name'

const isId = (value: unknown): value is RequestId => typeof value === 'string' || Number.isSafeInteger(value)

export const findId = (body: unknown): RequestId | null => (isObject(body) && isId(body.id) ? body.id : null)

const malformed = (message: string) => new RpcError('invalidRequest', message, { status: 400 })

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

export const success = (id: RequestId, result: string): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`

export const failure = (id: RequestId | null, { code, message, data }: RpcError) => ({
  jsonrpc: '2.0',
  id,
  error: { code: rpcCodes[code], message, ...(data !== undefined && { data }) },
})
