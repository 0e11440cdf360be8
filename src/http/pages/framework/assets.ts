import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import staticFiles from '@fastify/static'
import type { FastifyInstance } from 'fastify'
import { notFound } from '../../../lib/errors.ts'
import { type Language, languages } from '../../../lib/languages.ts'
import { packageRoot } from '../../../lib/package-root.ts'
import { acceptedLanguage, textsIn } from '../texts/languages.ts'
import type { PageOptions } from './options.ts'

const FOLDER = join(packageRoot, 'dist/assets')

/** The parts of the style sheet in cascade order, relative to `http/pages`. */
const STYLE_PARTS = [
  'framework/tokens.css',
  'framework/base.css',
  'framework/frame.css',
  'components/forms.css',
  'components/marks.css',
  'components/filter-bar/filter-bar.css',
  'components/figures.css',
  'features/statistics/charts/charts.css',
  'features/statistics/year.css',
  'components/flight-list.css',
  'components/flight-log.css',
  'features/home/home.css',
  'features/flights/flight-details.css',
  'features/flight-form/flight-form.css',
  'features/flight-form/travel-documents.css',
  'maps/map.css',
  'maps/atlas.css',
  'features/entities/entities.css',
  'features/countries/countries.css',
  'features/shares/share.css',
  'features/trips/trips.css',
  'features/docs/docs.css',
  'features/admin/admin.css',
  'features/import/import.css',
  'framework/print.css',
]

/** `style.css` is built as `style-1a2B3c4D5e.css`. */
export const builtName = (name: string, digest: string) => name.replace(/(?=\.\w+$)/, `-${digest}`)

let files: ReadonlyMap<string, string> | undefined

/** Names of the built files by their names without digest. Read on first use, because the build imports this module. */
function builtFiles(): ReadonlyMap<string, string> {
  files ??= new Map(
    readdirSync(FOLDER)
      .filter((file) => !/\.(br|gz|txt)$/.test(file))
      .map((file) => [file.replace(/-\w+(?=\.\w+$)/, ''), file]),
  )
  return files
}

const pathOf = (name: string) => `/assets/${builtFiles().get(name)}`

/** The parts are empty for bundles with their own build step. */
const asset = (name: string, parts: readonly string[] = [`assets/${name}`]) => ({
  name,
  parts,
  get path(): string {
    return pathOf(name)
  },
})

type Asset = ReturnType<typeof asset>

export const assets = {
  style: asset('style.css', STYLE_PARTS),
  script: asset('paxlog.js', ['assets/paxlog.js', 'assets/shortcuts.js']),
  flightForm: asset('flight-form.js'),
  travelDocument: asset('travel-document.js'),
  scanner: asset('scanner.js', []),
  scannerWasm: asset('scanner.wasm', []),
  tryIt: asset('try-it.js'),
  importProgress: asset('import-progress.js'),
  offlineSwitch: asset('offline-switch.js'),
  passkeys: asset('passkeys.js', []),
  serviceWorker: asset('service-worker.js'),
  icon: asset('icon.svg'),
  smallIcon: asset('icon-192.png'),
  largeIcon: asset('icon-512.png'),
  mapLoader: asset('map-loader.js'),
  map: asset('map.js', []),
  mapWorker: asset('map-worker.js', []),
  worldCoarse: asset('world-coarse.json', ['maps/data/world-coarse.json']),
  worldFine: asset('world-fine.json', ['maps/data/world-fine.json']),
  worldDetail: asset('world-detail.json', ['maps/data/world-detail.json']),
  mapLabels: Object.fromEntries(
    languages.map((language) => [language, asset(`labels-${language}.json`, [`maps/data/labels-${language}.json`])]),
  ) as Record<Language, Asset>,
  font: asset('inter-latin-wght-normal.woff2', []),
  fontExtended: asset('inter-latin-ext-wght-normal.woff2', []),
}

export const flagName = (country: string) => `flag-${country.toLowerCase()}.svg`

/** Undefined for a country without a flag. */
export const flagPath = (country: string): string | undefined =>
  builtFiles().has(flagName(country)) ? pathOf(flagName(country)) : undefined

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
  const served = new Set(builtFiles().values())
  app.get<{ Params: { file: string } }>('/assets/:file', async ({ params: { file } }, reply) => {
    if (!served.has(file)) throw notFound('asset')
    return reply.sendFile(file)
  })
  // At the root, because its path limits the pages that it may control. Browsers look for a new version.
  app.get('/service-worker.js', async (_request, reply) => {
    const { path } = assets.serviceWorker
    return reply.header('cache-control', 'no-cache').sendFile(basename(path), { cacheControl: false })
  })
}

/** Background colours of the style sheet. */
export const grounds = { light: '#f5f7fa', dark: '#0e151c' } as const

export async function manifest(app: FastifyInstance, { basePath }: Pick<PageOptions, 'basePath'>): Promise<void> {
  const png = ({ path }: { path: string }, sizes: string) => ({
    src: basePath + path,
    sizes,
    type: 'image/png',
    purpose: 'any maskable',
  })
  // Browsers send no cookies with this request.
  app.get('/manifest.webmanifest', async (request, reply) => {
    const language = acceptedLanguage(request.headers['accept-language'])
    return reply
      .header('cache-control', 'public, max-age=3600')
      .header('vary', 'Accept-Language')
      .header('content-language', language)
      .type('application/manifest+json; charset=utf-8')
      .send({
        lang: language,
        name: textsIn(language).frame.appName,
        short_name: 'Paxlog',
        id: `${basePath}/`,
        start_url: `${basePath}/`,
        scope: `${basePath}/`,
        display: 'standalone',
        background_color: grounds.light,
        theme_color: grounds.light,
        icons: [
          { src: basePath + assets.icon.path, sizes: 'any', type: 'image/svg+xml' },
          png(assets.smallIcon, '192x192'),
          png(assets.largeIcon, '512x512'),
        ],
      })
  })
}
