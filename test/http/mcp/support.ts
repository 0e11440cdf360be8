import { type AddressInfo, createServer } from 'node:net'
import type { InjectOptions } from 'fastify'
import { type Answer, type PaxlogOptions, paxlog, type TestUser } from '../../support/paxlog.ts'

type Request = (call: InjectOptions) => Promise<Answer>
type Headers = Record<string, string | undefined>

const given = (headers: Headers) =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined))

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion'
const CAPABILITIES_KEY = 'io.modelcontextprotocol/clientCapabilities'

export const handshakeVersions = ['2025-03-26', '2025-06-18', '2025-11-25']
export const STATELESS = '2026-07-28'

/** Speaks to the endpoint of one app with one key, in the words of either era. */
export function mcpClient(request: Request, who: TestUser | string | undefined, url = '/api/mcp') {
  const key = typeof who === 'object' ? who.key : who
  const post = (payload: unknown, headers: Headers = {}): Promise<Answer> =>
    request({
      method: 'POST',
      url,
      headers: given({
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

  /** A request of 2026-07-28 with everything that it needs. */
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

/** The error object inside the result of a failed call. */
export const toolError = ({ body }: Answer) => JSON.parse(body.result.content[0].text).error

/** A port that nobody listens on: the address must be known before the app is built. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

/** An app on a real socket, for clients that bring their own HTTP. */
export async function listening(options: PaxlogOptions = {}) {
  const port = await freePort()
  const app = await paxlog({ ...options, baseUrl: `http://127.0.0.1:${port}` })
  await app.app.listen({ host: '127.0.0.1', port })
  return { ...app, port, url: new URL(`http://127.0.0.1:${port}/api/mcp`) }
}
