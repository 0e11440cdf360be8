/**
 * Builds dist/ from src/ and its pure JavaScript dependencies, in a few files: loading several hundred
 * modules one by one takes four times as long at start and three times the memory.
 * With --if-changed it does nothing while dist/ is newer than everything it is made of.
 */
import { readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const dist = join(root, 'dist')
/** Takes the name dist only when it is whole: a build that was cut short must not look fresh. */
const draft = join(root, 'dist.partial')

const changedAt = (path: string) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

function newestSource(): number {
  const sources = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(tsx?|js|css|svg|png|json)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
  return Math.max(...[...sources, join(root, 'package-lock.json')].map(changedAt))
}

const isFresh = () => changedAt(join(dist, 'main.js')) > newestSource()

if (!process.argv.includes('--if-changed') || !isFresh()) {
  // Loaded only when there is something to build: most starts find dist/ fresh.
  const { build } = await import('esbuild')
  const { buildAssets } = await import('./assets.ts')
  rmSync(draft, { recursive: true, force: true })
  await build({
    absWorkingDir: root,
    entryPoints: {
      main: 'src/main.ts',
      cli: 'src/cli.ts',
      'import-worker': 'src/import-worker.ts',
      'long-write-worker': 'src/long-write-worker.ts',
      'track-file-worker': 'src/track-file-worker.ts',
      'picture-worker': 'src/http/pages/map/picture-worker.ts',
      'postgres-worker': 'src/db/postgres/worker.ts',
    },
    outdir: draft,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node22.14',
    sourcemap: true,
    // Its text stays in memory: a third of the size without what only people need. Names stay, for traces.
    minifyWhitespace: true,
    minifySyntax: true,
    legalComments: 'linked',
    chunkNames: '[name]-[hash]',
    // Native code stays in its package; that of PostgreSQL's driver is not used.
    external: ['better-sqlite3', 'argon2', '@resvg/resvg-js', 'pg-native'],
    // Dependencies written as CommonJS ask for built-in modules at run time.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);",
    },
    logLevel: 'warning',
  })
  await buildAssets({ folder: join(draft, 'assets'), before: join(dist, 'assets') })
  rmSync(dist, { recursive: true, force: true })
  renameSync(draft, dist)
}
