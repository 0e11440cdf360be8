/**
 * Bundles src/ and its pure JavaScript dependencies into dist/. Loading hundreds of modules takes four times as long at
 * start and three times the memory. With --if-changed it does nothing if dist/ is up to date.
 */
import { readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const dist = join(root, 'dist')
/** Renamed to dist when complete, so that an interrupted build does not look fresh. Each process has its own. */
const partial = join(root, `dist.partial-${process.pid}`)

const changedAt = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

function newestSource(): number {
  const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|js|css|svg|png|json)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  return Math.max(...[...sources, join(root, 'package-lock.json')].map(changedAt))
}

const isFresh = () => changedAt(join(dist, 'main.js')) > newestSource()

if (!process.argv.includes('--if-changed') || !isFresh()) {
  process.stderr.write('Building Paxlog. This happens once per version.\n')
  const { build } = await import('esbuild')
  const { buildAssets, copyFonts } = await import('./assets.ts')
  rmSync(partial, { recursive: true, force: true })
  await build({
    absWorkingDir: root,
    entryPoints: {
      main: 'src/main.ts',
      cli: 'src/cli.ts',
      'import-worker': 'src/workers/import/import-worker.ts',
      'long-write-worker': 'src/workers/long-write/long-write-worker.ts',
      'track-file-worker': 'src/workers/track-file/track-file-worker.ts',
      'document-worker': 'src/workers/document/document-worker.ts',
      'picture-worker': 'src/http/pages/maps/picture-worker.ts',
      'postgres-worker': 'src/workers/postgres/postgres-worker.ts',
    },
    outdir: partial,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node22.14',
    sourcemap: true,
    // Source text stays in memory; minified, it is a third of the size. Names stay for stack traces.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'linked',
    chunkNames: '[name]-[hash]',
    // Native packages cannot be bundled; pg-native is not used.
    external: ['better-sqlite3', 'argon2', '@resvg/resvg-js', 'pg-native'],
    // CommonJS dependencies call require for built-in modules.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    logLevel: 'warning',
  })
  await buildAssets(join(partial, 'assets'), join(dist, 'assets'))
  copyFonts(join(partial, 'fonts'))
  rmSync(dist, { recursive: true, force: true })
  renameSync(partial, dist)
}
