import type { InjectOptions } from 'fastify'
import { freePort } from '../../../src/lib/port.ts'
import { type Answer, type PaxlogOptions, paxlog, type TestUser } from '../../support/paxlog.ts'

type Request = (call: InjectOptions) => Promise<Answer>
type Headers = Record<string, string | undefined>

const withoutUndefined = (headers: Headers) =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined))

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities'

export const handshakeVersions = ['2025-03-26', '2025-06-18', '2025-11-25']
export const STATELESS = '2026-07-28'

/** A client of the MCP endpoint with one key, for protocol versions with and without a handshake. */
export function mcpClient(request: Request, who: TestUser | string | undefined, url = '/api/mcp') {
  const key = typeof who === 'object' ? who.key : who
  const post = (payload: unknown, headers: Headers = {}): Promise<Answer> =>
    request({
      method: 'POST',
      url,
      headers: withoutUndefined({
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...headers,
      }),
      payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
    })
  const message = (method: string, params?: unknown) => ({
    jsonrpc: '2.0',
    id: 7,
    method,
    ...(params ? { params } : {}),
  })
  const send = (method: string, params?: unknown, headers: Headers = {}) => post(message(method, params), headers)
  const call = (name: string, args?: unknown) => send('tools/call', { name, arguments: args })

  /** Sends a complete request of version 2026-07-28. */
  function stateless(method: string, params: Record<string, unknown> = {}, headers: Headers = {}) {
    const name = params.name ?? params.uri
    return send(
      method,
      { ...params, _meta: { [VERSION_KEY]: STATELESS, [CAPABILITIES_KEY]: {} } },
      {
        'mcp-protocol-version': STATELESS,
        'mcp-method': method,
        ...(typeof name === 'string' && { 'mcp-name': name }),
        ...headers,
      },
    )
  }
  return { post, send, call, stateless }
}

/** The error in the result of a failed call. */
export const toolError = ({ body }: Answer) => JSON.parse(body.result.content[0].text).error

/** An app on a real socket, for clients with their own HTTP implementation. */
export async function listening(options: PaxlogOptions = {}) {
  const port = await freePort('127.0.0.1')
  const app = await paxlog({ ...options, baseUrl: `http://127.0.0.1:${port}` })
  await app.app.listen({ host: '127.0.0.1', port })
  return { ...app, port, url: new URL(`http://127.0.0.1:${port}/api/mcp`) }
}
