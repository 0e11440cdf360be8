import { createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { clientDocuments } from '../../src/domain/oauth/client-documents.ts'
import { fetchDocument, localNetwork, publicNetwork } from '../../src/domain/oauth/fetch-document.ts'
import { documentServer } from '../support/document-server.ts'
import { isPostgres } from '../support/engine.ts'
import { nameServer } from '../support/name-server.ts'
import { paxlog } from '../support/paxlog.ts'

/** Twice the limit of 5 seconds. */
const MAX_MS = 10_000

async function durationOf(work: Promise<unknown>) {
  const began = performance.now()
  await expect(work).rejects.toThrow('does not respond within 5 seconds')
  return performance.now() - began
}

describe('a slow client id metadata document', () => {
  test('Q6: is abandoned after 5 seconds, whatever is slow', async () => {
    const server = await documentServer()
    const open = new Set<unknown>()
    const silent = server.serve((response) => {
      open.add(response)
      response.on('close', () => open.delete(response))
    })
    const slowBody = server.serve((response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      const writing = setInterval(() => response.write(' '), 200)
      response.on('close', () => clearInterval(writing))
    })
    const slowHeaders = server.serve((response) => {
      response.socket!.write('HTTP/1.1 200 OK\r\nx-long: ')
      const writing = setInterval(() => response.socket!.write('x'), 200)
      response.on('close', () => clearInterval(writing))
    })
    const hints = server.serve((response) => {
      const writing = setInterval(() => response.writeEarlyHints({ link: '</x>; rel=preload' }), 20)
      response.on('close', () => clearInterval(writing))
    })
    // Accepts no TLS handshake.
    const mute = createServer((socket) => void socket.on('error', () => undefined).resume())
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void mute.close())
    const { port } = mute.address() as { port: number }
    await nameServer(() => undefined)
    const times = await Promise.all([
      ...[silent, slowBody, slowHeaders, hints, `https://127.0.0.1:${port}/c`].map((url) =>
        durationOf(fetchDocument(new URL(url), localNetwork)),
      ),
      durationOf(fetchDocument(new URL('https://app.example/client.json'), publicNetwork)),
    ])
    expect(Math.min(...times)).toBeGreaterThan(4_500)
    expect(Math.max(...times)).toBeLessThan(MAX_MS)
    expect(open.size).toBe(0)
  })
})

describe('the cache of client id metadata documents', () => {
  // PostgreSQL deletes old rows after every 200 new ones.
  test.skipIf(isPostgres)('holds 1,000 documents and drops the one that was not used for longest', async () => {
    const { services } = await paxlog({ unused: true })
    const documents = clientDocuments({ mode: 'local', clock: Date.now, memory: services.memory, privateSchemes: [] })
    const server = await documentServer()
    const urls = Array.from({ length: 1001 }, () => server.publish())
    for (const [index, url] of urls.entries()) await documents.find(url, `user ${index}`)
    expect(server.requests).toHaveLength(1001)
    for (const url of urls.slice(1)) await documents.find(url, 'reader')
    expect(server.requests).toHaveLength(1001)
    await documents.find(urls[0]!, 'reader')
    expect(server.requests).toHaveLength(1002)
  })
})
