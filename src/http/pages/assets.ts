import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { notFound } from '../../lib/errors.ts'
import { lru } from '../../lib/lru.ts'
import { packageRoot } from '../../lib/package-root.ts'
import { isListed } from '../shared/etag.ts'
import { type Coding, codingOf, varyByCoding } from './compression.ts'

/** Where src/build/assets.ts has put them: small, compressed, and named by their content. */
const FOLDER = join(packageRoot, 'dist/assets')

/** The parts of the one stylesheet, in the order in which they build upon each other. */
const STYLE_PARTS = [
  'base',
  'frame',
  'forms',
  'filter',
  'figures',
  'charts',
  'flights',
  'flight',
  'flight-form',
  'map',
  'atlas',
  'countries',
  'share',
  'reference',
  'administration',
  'transfer',
  'print',
]

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
}

/** Pictures are compressed by themselves. */
export const isPackable = (file: string) => extname(file) !== '.png'

interface Source {
  name: string
  /** The files it is put together from; none where the build has a way of its own. */
  parts: readonly string[]
}

/** A file `style.css` is built as `style-1a2B3c4D5e.css`: its name tells its content, so that two never mix. */
export const builtName = (name: string, digest: string) => name.replace(/(?=\.\w+$)/, `-${digest}`)

interface Built {
  files: ReadonlySet<string>
  /** The files by what they were made of. */
  names: ReadonlyMap<string, string>
}

let known: Built | undefined

/** Read when the first page needs it: the build itself, which takes its list from here, comes before. */
function built(): Built {
  if (known) return known
  const files = readdirSync(FOLDER).filter((file) => extname(file) in types)
  known = { files: new Set(files), names: new Map(files.map((file) => [file.replace(/-\w+(?=\.\w+$)/, ''), file])) }
  return known
}

const asset = (name: string, parts: readonly string[] = [name]) => ({
  name,
  parts,
  get path(): string {
    return `/assets/${built().names.get(name)}`
  },
})

/** The address names the content, so that a browser never mixes two releases. */
export const assets = {
  style: asset(
    'style.css',
    STYLE_PARTS.map((part) => `style/${part}.css`),
  ),
  script: asset('paxlog.js'),
  flightForm: asset('flight-form.js'),
  tryIt: asset('try-it.js'),
  icon: asset('icon.svg'),
  smallIcon: asset('icon-192.png'),
  largeIcon: asset('icon-512.png'),
  mapLoader: asset('map-loader.js'),
  map: asset('map.js', []),
  mapWorker: asset('map-worker.js', []),
  landCoarse: asset('land-coarse.json', ['../map/data/land-coarse.json']),
  landFine: asset('land-fine.json', ['../map/data/land-fine.json']),
} satisfies Record<string, Source>

const endings: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz', identity: '' }

const MAX_KEPT_BYTES = 2 * 1024 * 1024

export async function serveAssets(app: FastifyInstance): Promise<void> {
  const kept = lru<Buffer>(MAX_KEPT_BYTES, ({ length }) => length)

  async function read(file: string): Promise<Buffer> {
    const bytes = kept.get(file) ?? (await readFile(join(FOLDER, file)))
    kept.set(file, bytes)
    return bytes
  }

  app.get<{ Params: { file: string } }>('/assets/:file', async ({ params: { file }, headers }, reply) => {
    if (!built().files.has(file)) throw notFound('asset')
    const coding = isPackable(file) ? codingOf(headers['accept-encoding']) : 'identity'
    const stored = file + endings[coding]
    const tag = `"${stored}"`
    varyByCoding(reply).headers({ 'cache-control': 'public, max-age=31536000, immutable', etag: tag })
    if (isListed(headers['if-none-match'], tag)) return reply.code(304).send()
    if (coding !== 'identity') reply.header('content-encoding', coding)
    return reply.type(types[extname(file)]!).send(await read(stored))
  })
}
