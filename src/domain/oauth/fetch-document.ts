import type { LookupAddress } from 'node:dns'
import dns from 'node:dns/promises'
import http, { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import { isPublicAddress } from '../../lib/public-address.ts'
import { english } from '../../messages/english.ts'
import { OAuthError } from './contract.ts'

const TIMEOUT_MS = 5_000
export const MAX_DOCUMENT_BYTES = 10 * 1024

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i

export interface Network {
  /** Returns the addresses of a host name. */
  resolve: (hostname: string) => Promise<readonly LookupAddress[]>
  /** Whether connections to an address are allowed. */
  allows: (address: string) => boolean
}

export interface FetchedDocument {
  content: Buffer
  headers: IncomingHttpHeaders
}

export const unusableDocument = (message: string) => new OAuthError('invalid_request', message)

/** Not `lookup`: it uses the thread pool, which slow name servers of strangers could block. */
async function resolvePublic(hostname: string): Promise<LookupAddress[]> {
  const [ipv4, ipv6] = await Promise.allSettled([dns.resolve4(hostname), dns.resolve6(hostname)])
  const found = (result: PromiseSettledResult<string[]>, family: number) =>
    result.status === 'fulfilled' ? result.value.map((address) => ({ address, family })) : []
  return [...found(ipv4, 4), ...found(ipv6, 6)]
}

export const publicNetwork: Network = { resolve: resolvePublic, allows: isPublicAddress }

/** For development: also names of the hosts file, and private addresses. */
export const localNetwork: Network = { resolve: (hostname) => dns.lookup(hostname, { all: true }), allows: () => true }

function abortable<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    work.then(resolve, reject)
  })
}

async function addressesOf({ hostname }: URL, network: Network, signal: AbortSignal) {
  const host = hostname.replace(/^\[|\]$/g, '')
  const family = isIP(host)
  if (family > 0) return [{ address: host, family }]
  const resolved = network.resolve(host).catch(() => [])
  return abortable<readonly LookupAddress[]>(resolved, signal)
}

/** The same error for unknown and for private hosts, because it must not reveal names of the local network. */
async function allowedAddresses(url: URL, network: Network, signal: AbortSignal) {
  const { allows } = network
  const addresses = await addressesOf(url, network, signal)
  if (addresses.length > 0 && addresses.every(({ address }) => allows(address))) return addresses
  throw unusableDocument(english.oauth.documentHost)
}

/** Connects only to the checked addresses, because a second lookup could return others. */
const pinnedLookup =
  (addresses: readonly LookupAddress[]): LookupFunction =>
  (_hostname, options, callback) => {
    if (options.all) callback(null, [...addresses])
    else callback(null, addresses[0]!.address, addresses[0]!.family)
  }

function send(url: URL, addresses: readonly LookupAddress[], signal: AbortSignal): Promise<IncomingMessage> {
  const options: RequestOptions = {
    headers: { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'Paxlog' },
    agent: false,
    lookup: pinnedLookup(addresses),
    signal,
  }
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, options)
    request.on('response', resolve).on('error', reject)
    request.on('close', () => reject(new Error('The connection was closed.')))
    request.end()
  })
}

function checkHeaders({ statusCode, headers }: IncomingMessage): void {
  if (statusCode !== 200) throw unusableDocument(english.oauth.documentStatus({ status: statusCode! }))
  if (!JSON_TYPE.test(headers['content-type'] ?? '')) {
    throw unusableDocument(english.oauth.documentType)
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    throw unusableDocument(english.oauth.documentCompressed)
}

async function readBody(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > MAX_DOCUMENT_BYTES) throw unusableDocument(english.oauth.documentTooLarge)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Contract 17.10: no redirects, no compression, and limits on time and size. */
export async function fetchDocument(url: URL, network: Network): Promise<FetchedDocument> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  let response: IncomingMessage | undefined
  try {
    const addresses = await allowedAddresses(url, network, signal)
    response = await send(url, addresses, signal)
    checkHeaders(response)
    return { content: await readBody(response), headers: response.headers }
  } catch (error) {
    if (error instanceof OAuthError) throw error
    throw unusableDocument(signal.aborted ? english.oauth.documentTimeout : english.oauth.documentConnection)
  } finally {
    response?.destroy()
  }
}
