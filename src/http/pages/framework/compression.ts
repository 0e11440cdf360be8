import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'

type Coding = 'br' | 'gzip' | 'identity'

/** In order of preference when a client weighs them equally. */
const codings = ['br', 'gzip'] as const

/** Browsers send shorter headers. */
const MAX_HEADER_LENGTH = 1000

/** The weight of each listed coding, from 0 to 1. An invalid weight counts as 0. */
function weights(header: string): Map<string, number> {
  const found = new Map<string, number>()
  for (const item of header.slice(0, MAX_HEADER_LENGTH).toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
    const weight = parameters.find((each) => each.startsWith('q='))?.slice(2) ?? '1'
    if (name !== '') found.set(name, Number(weight) || 0)
  }
  return found
}

/** Chooses the coding of an answer from `Accept-Encoding`. */
export function codingOf(header: string | string[] | undefined): Coding {
  if (header === undefined) return 'identity'
  const wanted = weights(String(header))
  const weightOf = (coding: Coding) => wanted.get(coding) ?? wanted.get('*') ?? 0
  let best: Coding = 'identity'
  for (const coding of codings) {
    const weight = weightOf(coding)
    if (weight > (best === 'identity' ? Math.max(0, wanted.get('identity') ?? 0) : weightOf(best))) best = coding
  }
  return best
}

function varyByCoding(reply: FastifyReply): void {
  const others = reply.getHeader('vary')
  reply.header('vary', others === undefined ? 'Accept-Encoding' : `${others}, Accept-Encoding`)
}

/** Smaller answers fit into the first packet uncompressed. */
const MIN_COMPRESSED_BYTES = 1400

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

const compressors: Record<(typeof codings)[number], (bytes: Buffer) => Promise<Buffer>> = {
  // A small window: the default takes a dozen megabytes per answer.
  br: (bytes) =>
    toBrotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_QUALITY]: 5,
        [constants.BROTLI_PARAM_LGWIN]: 18,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes) => toGzip(bytes),
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
    varyByCoding(reply)
    const coding = codingOf(headers['accept-encoding'])
    if (coding === 'identity' || (method !== 'GET' && method !== 'HEAD')) return payload
    const bytes = Buffer.isBuffer(payload) ? payload : Buffer.from(payload)
    if (bytes.length < MIN_COMPRESSED_BYTES) return payload
    reply.header('content-encoding', coding).removeHeader('content-length')
    return compressors[coding](bytes)
  })
}
