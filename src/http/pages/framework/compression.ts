import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'

/** In order of preference when a client weighs them equally. */
const codings = ['identity', 'br', 'gzip'] as const

const MAX_HEADER_LENGTH = 1000

function weights(header: string): Map<string, number> {
  const found = new Map<string, number>()
  for (const item of header.slice(0, MAX_HEADER_LENGTH).toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
    const weight = parameters.find((each) => each.startsWith('q='))?.slice(2) ?? '1'
    if (name !== '') found.set(name, Math.max(0, Number(weight) || 0))
  }
  return found
}

export function codingOf(header: string | string[] = ''): (typeof codings)[number] {
  const wanted = weights(String(header))
  const weightOf = (coding: string) => wanted.get(coding) ?? (coding === 'identity' ? 0 : (wanted.get('*') ?? 0))
  return codings.toSorted((a, b) => weightOf(b) - weightOf(a))[0]!
}

/** Smaller answers fit into the first packet uncompressed. */
const MIN_COMPRESSED_BYTES = 1400

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

const compressors = {
  // A small window: the default takes a dozen megabytes per answer.
  br: (bytes: Buffer) =>
    toBrotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_QUALITY]: 5,
        [constants.BROTLI_PARAM_LGWIN]: 18,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes: Buffer) => toGzip(bytes),
}

const COMPRESSED_TYPES = /^(text\/html|application\/json)\b/

/**
 * Compresses pages and their JSON. Answers to forms are left alone: they can show a secret once, and the length of a
 * compressed answer depends on its content (BREACH). For the same reason form tokens differ in every rendering.
 */
export function compressPages(app: FastifyInstance): void {
  app.addHook('onSend', async ({ method, headers }, reply, payload) => {
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload
    if (!COMPRESSED_TYPES.test(String(reply.getHeader('content-type'))) || reply.hasHeader('content-encoding'))
      return payload
    reply.header('vary', [reply.getHeader('vary'), 'Accept-Encoding'].flat().filter(Boolean).join(', '))
    const coding = codingOf(headers['accept-encoding'])
    if (coding === 'identity' || (method !== 'GET' && method !== 'HEAD')) return payload
    const bytes = Buffer.isBuffer(payload) ? payload : Buffer.from(payload)
    if (bytes.length < MIN_COMPRESSED_BYTES) return payload
    reply.header('content-encoding', coding).removeHeader('content-length')
    return compressors[coding](bytes)
  })
}
