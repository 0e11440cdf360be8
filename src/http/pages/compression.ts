import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'

export type Coding = 'br' | 'gzip' | 'identity'

/** Best first; where a client likes two of them equally, the first counts. */
const codings = ['br', 'gzip'] as const

/** Longer than any browser sends. */
const LONGEST_HEADER = 1000

/** What a client wants least to most, from 0 to 1; undefined for what it does not mention. */
function weights(header: string): Map<string, number> {
  const found = new Map<string, number>()
  for (const item of header.slice(0, LONGEST_HEADER).toLowerCase().split(',')) {
    const [name = '', ...parameters] = item.split(';').map((part) => part.trim())
    const weight = parameters.find((each) => each.startsWith('q='))?.slice(2) ?? '1'
    // A weight that is none is no wish.
    if (name !== '') found.set(name, Number(weight) || 0)
  }
  return found
}

/** In which form a client gets a text. */
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

/** Caches on the way must not give one client the form of another. */
export const varyByCoding = (reply: FastifyReply): FastifyReply => {
  const others = reply.getHeader('vary')
  return reply.header('vary', others === undefined ? 'Accept-Encoding' : `${others}, Accept-Encoding`)
}

/** Smaller texts fit into the first packet anyway. */
const LEAST_BYTES = 1400

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

const packers: Record<(typeof codings)[number], (bytes: Buffer) => Promise<Buffer>> = {
  // A small window: by default each text that is packed takes a dozen megabytes for a moment.
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

const PACKED_TYPES = /^(text\/html|application\/json)\b/

/**
 * Pages and their data are sent compressed, worked on beside the event loop. Only what is asked for by GET: what answers a
 * form may show a secret for the one time, and the length of a compressed text tells something of what is in it. The tokens
 * of forms differ at every rendering for the same reason.
 */
export function compressPages(app: FastifyInstance): void {
  app.addHook('onSend', async ({ method, headers }, reply, payload) => {
    if (!PACKED_TYPES.test(String(reply.getHeader('content-type'))) || reply.hasHeader('content-encoding'))
      return payload
    varyByCoding(reply)
    const coding = codingOf(headers['accept-encoding'])
    if (coding === 'identity' || (method !== 'GET' && method !== 'HEAD')) return payload
    if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload
    const bytes = Buffer.isBuffer(payload) ? payload : Buffer.from(payload)
    if (bytes.length < LEAST_BYTES) return payload
    reply.header('content-encoding', coding).removeHeader('content-length')
    return packers[coding](bytes)
  })
}
