import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import staticFiles from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { notFound } from '../../lib/errors.ts'
import { packageRoot } from '../../lib/package-root.ts'

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

interface Source {
  name: string
  /** The files it is put together from; none where the build has a way of its own. */
  parts: readonly string[]
}

/** `style.css` is built as `style-1a2B3c4D5e.css`. */
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
  const files = readdirSync(FOLDER).filter((file) => !/\.(br|gz|txt)$/.test(file))
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

export async function serveAssets(app: FastifyInstance): Promise<void> {
  await app.register(staticFiles, {
    root: FOLDER,
    serve: false,
    preCompressed: true,
    maxAge: '365d',
    immutable: true,
    lastModified: false,
    acceptRanges: false,
  })
  app.get<{ Params: { file: string } }>('/assets/:file', async ({ params: { file } }, reply) => {
    if (!built().files.has(file)) throw notFound('asset')
    return reply.sendFile(file)
  })
}
