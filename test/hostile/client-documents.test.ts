import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fetchDocument, publicNetwork } from '../../src/domain/oauth/fetch-document.ts'
import { browserSession } from '../support/browser-session.ts'
import { type DocumentServer, documentServer, sendJson } from '../support/document-server.ts'
import { nameServer } from '../support/name-server.ts'
import { pkce } from '../support/oauth-client.ts'
import { type Paxlog, paxlog } from '../support/paxlog.ts'

const REDIRECT = 'https://board.example/cb'

async function signedIn(app: Paxlog) {
  app.user({ owner: true })
  const session = browserSession(app.app)
  session.jar.set('paxlog', await app.services.sessions.start(app.user().id))

  function authorize(clientId: string) {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: REDIRECT,
      code_challenge: pkce().challenge,
      code_challenge_method: 'S256',
      resource: 'http://localhost:3000/api/v1',
      scope: 'stats.read',
    })
    return session.get(`/oauth/authorize?${query}`)
  }

  /** Expects the error page without a redirect or link, and returns its text. */
  async function refusal(clientId: string): Promise<string> {
    const { status, location, html } = await authorize(clientId)
    expect([clientId, status, location]).toEqual([clientId, 400, undefined])
    expect(html).toContain('invalid_request')
    expect(html).not.toContain('Return to')
    return html
  }

  return { authorize, refusal }
}

/** Records every TCP connection that this process opens, except those of the database client. */
function recordedConnections(): unknown[] {
  const connections: unknown[] = []
  const record = (connection: unknown) => void connections.push(connection)
  subscribe('net.client.socket', record)
  onTestFinished(() => void unsubscribe('net.client.socket', record))
  return connections
}

describe('the URL of a client id metadata document', () => {
  const urls = {
    'another scheme': 'http://app.example/client.json ftp://app.example/client.json javascript:alert(1)//x app:client',
    'no path': 'https://app.example https://app.example/ https://app.example?x=1 https://app.example/?x=1',
    'user information':
      'https://user@app.example/c https://user:pw@app.example/c https://@app.example/c https://app.example@127.0.0.1/c',
    'a fragment': 'https://app.example/c# https://app.example/c#x',
    'a port': 'https://app.example:8443/c https://app.example:443/c https://app.example:80/c https://app.example:22/c',
    'dot segments':
      'https://app.example/../c https://app.example/a/./c https://app.example/a/%2e%2e/c https://app.example/a/%2E/c',
    'a backslash': 'https:\\\\app.example\\c https://app.example\\@127.0.0.1/c',
    'another case': 'HTTPS://app.example/c https://APP.example/c',
    'a trailing dot': 'https://app.example./c https://localhost./c https://127.0.0.1./c',
    'a decimal address': 'https://2130706433/c https://2852039166/c',
    'an octal address': 'https://0177.0.0.1/c https://0300.0250.0.1/c https://017700000001/c',
    'a hexadecimal address': 'https://0x7f.0.0.1/c https://0x7f000001/c https://0xa9fea9fe/c',
    'a short address': 'https://127.1/c https://10.1/c https://0/c',
    'an encoded host': 'https://%31%32%37.0.0.1/c https://%6c%6fcalhost/c https://app%2eexample/c',
    'a host that is not ASCII':
      'https://äpp.example/c https://１２７.0.0.1/c https://①②⑦.⓪.⓪.①/c https://localhoſt/c https://app。example/c',
    'control characters': 'https://app.example/c\n https://app.example/\tc https://app.example/c\0',
    'an address in another spelling':
      'https://[0:0:0:0:0:0:0:1]/c https://[::ffff:127.0.0.1]/c https://[::FFFF:7F00:1]/c',
    'too many characters': `https://app.example/${'c'.repeat(2048)}`,
  }

  test.each(Object.entries(urls))(
    'Q1 S8: is refused with %s, without a lookup or a connection',
    async (_what, list) => {
      const { questions } = await nameServer(() => ['127.0.0.1'])
      const client = await signedIn(await paxlog())
      const connections = recordedConnections()
      for (const url of list.split(' ')) expect(await client.refusal(url)).toContain('normalized https URL')
      expect(questions).toEqual([])
      expect(connections).toEqual([])
    },
  )

  const addresses = `127.0.0.1 127.8.8.8 10.0.0.1 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 100.100.100.200 0.0.0.0
    192.0.2.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 255.255.255.255 [::] [::1] [::ffff:7f00:1] [::ffff:a9fe:a9fe]
    [64:ff9b::7f00:1] [64:ff9b::a9fe:a9fe] [2002:7f00:1::] [2001::1] [2001:db8::1] [fe80::1] [fc00::1] [fd00:ec2::254] [ff02::1]`

  test('Q5 S8: is refused with a special address as host, without a connection', async () => {
    const client = await signedIn(await paxlog())
    const connections = recordedConnections()
    const hosts = addresses.trim().split(/\s+/)
    // Each user has ten fetches.
    const clients = [client, await signedIn(await paxlog()), await signedIn(await paxlog())]
    for (const [index, host] of hosts.entries()) {
      expect(await clients[index % 3]!.refusal(`https://${host}/client.json`)).toContain('has no public address')
    }
    expect(connections).toEqual([])
  })

  test('Q5 S8: is refused with a name that has any special address, without a connection', async () => {
    const names: Record<string, string[]> = {
      'loopback.example': ['127.0.0.1'],
      'metadata.example': ['169.254.169.254'],
      'router.example': ['192.168.1.1'],
      'second.example': ['8.8.8.8', '10.0.0.1'],
      'v6.example': ['::1'],
      'mapped.example': ['::ffff:127.0.0.1'],
      'translated.example': ['64:ff9b::a00:1'],
      'mixed.example': ['8.8.8.8', 'fd00::1'],
      localhost: ['127.0.0.1'],
      'nowhere.example': [],
    }
    const { questions } = await nameServer((name) => names[name] ?? [])
    const client = await signedIn(await paxlog())
    const connections = recordedConnections()
    const reasons = new Set<string>()
    for (const name of Object.keys(names)) {
      const html = await client.refusal(`https://${name}/client.json`)
      reasons.add(/its host is [^.]+/.exec(html)![0])
    }
    // Names of the local network are not revealed.
    expect([...reasons]).toEqual(['its host is unknown or has no public address'])
    expect(connections).toEqual([])
    expect(questions).toContain('A metadata.example')
    expect(questions).toContain('AAAA v6.example')
  })
})

describe('the connection for a client id metadata document', () => {
  test('Q5: goes to the checked address if the name has another one a moment later', async () => {
    const checked = await documentServer({ host: '127.0.0.1' })
    const other = await documentServer({ host: '127.0.0.2', port: checked.port })
    for (const server of [checked, other]) server.serve(sendJson(server.origin), '/client.json')
    const { questions } = await nameServer((_name, count) => (count === 0 ? ['127.0.0.1'] : ['127.0.0.2']))
    const network = { ...publicNetwork, allows: (address: string) => address === '127.0.0.1' }
    const url = new URL(`http://app.example:${checked.port}/client.json`)
    const { content } = await fetchDocument(url, network)
    expect(content.toString()).toBe(checked.origin)
    expect(checked.requests[0]!.headers).toMatchObject({ host: url.host, accept: 'application/json' })
    expect(questions.toSorted()).toEqual(['A app.example', 'AAAA app.example'])
    // The name has the other address now, which is checked again.
    await expect(fetchDocument(url, network)).rejects.toThrow('no public address')
    expect(other.requests).toEqual([])
  })

  test('sends no cookie, credential or referrer', async () => {
    const app = await paxlog({ oauthClientMetadata: 'local' })
    const server = await documentServer()
    expect((await (await signedIn(app)).authorize(server.publish())).status).toBe(303)
    const { accept, connection, host, ...others } = server.requests[0]!.headers
    expect(server.requests[0]!.method).toBe('GET')
    expect(others).toEqual({ 'accept-encoding': 'identity', 'user-agent': 'Paxlog' })
  })
})

describe('a client id metadata document', () => {
  const redirectUris = [REDIRECT]
  const deep = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

  test.each<[string, (server: DocumentServer) => string, string]>([
    ...[201, 204, 206, 301, 302, 303, 307, 308, 400, 404, 500].map(
      (status): [string, (server: DocumentServer) => string, string] => [
        `Q3 Q4: with status ${status}`,
        (server) => {
          const target = server.publish()
          return server.serve((response) =>
            response.writeHead(status, { location: target, 'content-type': 'application/json' }).end(),
          )
        },
        `status ${status}`,
      ],
    ),
    ['Q4: as text/html', (server) => server.publish({}, { 'content-type': 'text/html' }), 'content type'],
    ['Q4: as text/json', (server) => server.publish({}, { 'content-type': 'text/json' }), 'content type'],
    [
      'Q4: as application/jsonp',
      (server) => server.publish({}, { 'content-type': 'application/jsonp' }),
      'content type',
    ],
    ['Q4: without content type', (server) => server.serve((response) => response.end('{}')), 'content type'],
    ['Q4: that is a list', (server) => server.serve(sendJson([])), 'not a JSON object'],
    ['Q4: that is null', (server) => server.serve(sendJson('null')), 'not a JSON object'],
    ['Q4: that is empty', (server) => server.serve(sendJson('')), 'not a JSON object'],
    ['Q4: that is cut off', (server) => server.serve(sendJson('{"client_id":')), 'not a JSON object'],
    [
      'Q4: that is not UTF-8',
      (server) =>
        server.serve((response) =>
          response.writeHead(200, { 'content-type': 'application/json' }).end(Buffer.from('{"a":"\xff"}', 'latin1')),
        ),
      'not a JSON object',
    ],
    ['Q4: of 5,000 nested lists', (server) => server.serve(sendJson(deep(5_000))), 'not a JSON object'],
    [
      'Q4: of nested lists that do not end',
      (server) => server.serve(sendJson('['.repeat(10_000))),
      'not a JSON object',
    ],
    ['Q4: without client_id', (server) => server.publish({ client_id: undefined }), 'client_id differs'],
    ['Q4: without redirect_uris', (server) => server.publish({ redirect_uris: undefined }), 'redirect_uris must be'],
    ['Q4: without a redirect URI', (server) => server.publish({ redirect_uris: [] }), 'redirect_uris must be'],
    [
      'Q4: with a wrong redirect URI',
      (server) => server.publish({ redirect_uris: ['http://board.example/cb', REDIRECT] }),
      'must be https',
    ],
    [
      'Q4: with eleven redirect URIs',
      (server) => server.publish({ redirect_uris: Array.from({ length: 11 }, (_, n) => `${REDIRECT}${n}`) }),
      'at most 10',
    ],
    [
      'Q2: with the client_id of another',
      (server) => server.publish({ client_id: 'https://app.example/client.json' }),
      'client_id differs',
    ],
    [
      'Q2: with a client_id with a slash',
      (server) => server.publish({ client_id: `${server.origin}/app-1.json/` }),
      'client_id differs',
    ],
    [
      'Q2: with a client_id in another case',
      (server) => server.publish({ client_id: `${server.origin}/APP-1.json` }),
      'client_id differs',
    ],
    [
      'Q2: with a list as client_id',
      (server) => server.publish({ client_id: [`${server.origin}/app-1.json`] }),
      'client_id differs',
    ],
    [
      'Q2: with its client_id in __proto__',
      (server) =>
        server.serve(
          sendJson(`{"__proto__":{"client_id":"${server.origin}/app-1.json","redirect_uris":["${REDIRECT}"]}}`),
        ),
      'client_id differs',
    ],
    [
      'Q7: without the requested redirect URI',
      (server) => server.publish({ redirect_uris: ['https://board.example/other'] }),
      'has not registered',
    ],
    [
      'Q8: with client_secret_basic',
      (server) => server.publish({ token_endpoint_auth_method: 'client_secret_basic' }),
      'auth_method',
    ],
    [
      'Q8: with client_secret_post',
      (server) => server.publish({ token_endpoint_auth_method: 'client_secret_post' }),
      'auth_method',
    ],
    [
      'Q8: with private_key_jwt',
      (server) => server.publish({ token_endpoint_auth_method: 'private_key_jwt' }),
      'auth_method',
    ],
    [
      'Q8: with null as authentication method',
      (server) => server.publish({ token_endpoint_auth_method: null }),
      'auth_method',
    ],
    ['Q8: with a client_secret', (server) => server.publish({ client_secret: 'x' }), 'contains a client_secret'],
    ['Q8: with null as client_secret', (server) => server.publish({ client_secret: null }), 'contains a client_secret'],
    ['Q6: of 11 KiB', (server) => server.publish({ padding: 'x'.repeat(11 * 1024) }), 'larger than 10 KiB'],
    [
      'Q6: that does not end',
      (server) =>
        server.serve((response) => {
          response.writeHead(200, { 'content-type': 'application/json' })
          const writing = setInterval(() => response.write('x'.repeat(4096)), 1)
          response.on('close', () => clearInterval(writing))
        }),
      'larger than 10 KiB',
    ],
    [
      'Q6: that is a compression bomb',
      (server) =>
        server.serve((response) => {
          response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
          response.end(gzipSync(Buffer.alloc(5_000_000, ' ')))
        }),
      'it is compressed',
    ],
    [
      'Q6: with endless headers',
      (server) =>
        server.serve((response) => {
          response.writeHead(200, {
            'content-type': 'application/json',
            ...Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`x-${n}`, 'y'.repeat(1000)])),
          })
          response.end('{}')
        }),
      'connection to its server failed',
    ],
    [
      'Q6: that is shorter than announced',
      (server) =>
        server.serve((response) => {
          response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' })
          response.write('{}')
          setTimeout(() => response.destroy(), 20)
        }),
      'connection to its server failed',
    ],
    [
      'with a switch of the protocol',
      (server) =>
        server.serve((response) => {
          response.socket!.end('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n')
        }),
      'connection to its server failed',
    ],
  ])('%s is refused without a redirect', async (_what, publish, reason) => {
    const client = await signedIn(await paxlog({ oauthClientMetadata: 'local' }))
    const server = await documentServer()
    const url = publish(server)
    expect(await client.refusal(url)).toContain(reason)
    expect(server.requests.map((request) => request.url)).toEqual([new URL(url).pathname])
  })

  test('Q6: of exactly 10 KiB is accepted', async () => {
    const app = await paxlog({ oauthClientMetadata: 'local' })
    const server = await documentServer()
    const path = '/exact.json'
    const document = { client_id: server.origin + path, redirect_uris: redirectUris, padding: '' }
    document.padding = 'x'.repeat(10 * 1024 - JSON.stringify(document).length)
    expect((await (await signedIn(app)).authorize(server.serve(sendJson(document), path))).status).toBe(303)
  })

  test('of a server that speaks another protocol or does not listen is refused', async () => {
    const client = await signedIn(await paxlog({ oauthClientMetadata: 'local' }))
    const greeting = createServer((socket) => {
      socket.on('error', () => undefined).resume()
      socket.end('220 mail.example ESMTP\r\n')
    }).listen(0, '127.0.0.1')
    await once(greeting, 'listening')
    const { port } = greeting.address() as { port: number }
    expect(await client.refusal(`http://127.0.0.1:${port}/client.json`)).toContain('connection to its server failed')
    await new Promise((resolve) => greeting.close(resolve))
    expect(await client.refusal(`http://127.0.0.1:${port}/other.json`)).toContain('connection to its server failed')
    // A server without TLS.
    const plain = await documentServer()
    expect(await client.refusal(`https://127.0.0.1:${plain.port}/c`)).toContain('connection to its server failed')
  })
})
