import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import staticFiles from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { notFound } from '../../../lib/errors.ts'
import { packageRoot } from '../../../lib/package-root.ts'

/** Output of src/build/assets.ts. */
const FOLDER = join(packageRoot, 'dist/assets')

/** The parts of the style sheet in cascade order, relative to `http/pages`. */
const STYLE_PARTS = [
  'framework/base.css',
  'framework/frame.css',
  'components/forms.css',
  'components/filter-bar/filter-bar.css',
  'components/figures.css',
  'features/statistics/charts/charts.css',
  'components/flight-list.css',
  'features/flights/flight-details.css',
  'features/flight-form/flight-form.css',
  'maps/map.css',
  'maps/atlas.css',
  'features/countries/countries.css',
  'features/shares/share.css',
  'features/docs/docs.css',
  'features/admin/admin.css',
  'features/import/import.css',
  'framework/print.css',
]

interface Source {
  name: string
  /** The source files; empty if the build bundles it separately. */
  parts: readonly string[]
}

/** `style.css` is built as `style-1a2B3c4D5e.css`. */
export const builtName = (name: string, digest: string) => name.replace(/(?=\.\w+$)/, `-${digest}`)

interface Built {
  files: ReadonlySet<string>
  /** Built file by source name. */
  names: ReadonlyMap<string, string>
}

let known: Built | undefined

/** Read on first use, because the build imports this module. */
function built(): Built {
  if (known) return known
  const files = readdirSync(FOLDER).filter((file) => !/\.(br|gz|txt)$/.test(file))
  known = { files: new Set(files), names: new Map(files.map((file) => [file.replace(/-\w+(?=\.\w+$)/, ''), file])) }
  return known
}

const asset = (name: string, parts: readonly string[] = [`assets/${name}`]) => ({
  name,
  parts,
  get path(): string {
    return `/assets/${built().names.get(name)}`
  },
})

export const assets = {
  style: asset('style.css', STYLE_PARTS),
  script: asset('paxlog.js'),
  flightForm: asset('flight-form.js'),
  tryIt: asset('try-it.js'),
  icon: asset('icon.svg'),
  smallIcon: asset('icon-192.png'),
  largeIcon: asset('icon-512.png'),
  mapLoader: asset('map-loader.js'),
  map: asset('map.js', []),
  mapWorker: asset('map-worker.js', []),
  landCoarse: asset('land-coarse.json', ['maps/data/land-coarse.json']),
  landFine: asset('land-fine.json', ['maps/data/land-fine.json']),
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
