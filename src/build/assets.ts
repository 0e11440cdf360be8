/**
 * Makes what browsers load: minified, named by its content, and compressed as well as it can be, which takes seconds and is
 * therefore done here and not when it is asked for.
 */
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build, type Loader, transform } from 'esbuild'
import { assets, builtName } from '../http/pages/assets.ts'
import { unusedParts } from './unused-parts.ts'

const sources = join(import.meta.dirname, '../http/pages/assets')

/** The library of the map, from its sources: built by us, its two programs share what both need, and leave out the rest. */
const library = dirname(fileURLToPath(import.meta.resolve('maplibre-gl/package.json')))

const digestOf = (bytes: Buffer) =>
  createHash('sha256').update(bytes).digest('base64url').replace(/\W/g, '').slice(0, 10)

const loaders: Readonly<Record<string, Loader>> = { '.css': 'css', '.js': 'js' }

async function minified(name: string, bytes: Buffer): Promise<Buffer> {
  const loader = loaders[extname(name)]
  return loader ? Buffer.from((await transform(bytes, { loader, minify: true, target: 'es2022' })).code) : bytes
}

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

const packers = {
  '.br': (bytes: Buffer) =>
    toBrotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: 11,
        [constants.BROTLI_PARAM_LGWIN]: 24,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  '.gz': (bytes: Buffer) => toGzip(bytes, { level: 9 }),
}

interface Folders {
  folder: string
  /** Of an earlier build: what has not changed since is not compressed again. */
  before: string
}

export async function buildAssets({ folder, before }: Folders): Promise<void> {
  mkdirSync(folder, { recursive: true })

  async function write(file: string, bytes: Buffer): Promise<void> {
    writeFileSync(join(folder, file), bytes)
    if (extname(file) === '.png') return
    for (const [ending, pack] of Object.entries(packers)) {
      const known = join(before, file + ending)
      writeFileSync(join(folder, file + ending), existsSync(known) ? readFileSync(known) : await pack(bytes))
    }
  }

  async function writeMap(): Promise<void> {
    const { outputFiles } = await build({
      entryPoints: { map: join(sources, 'map/main.js'), 'map-worker': join(library, 'src/source/worker.ts') },
      outdir: folder,
      bundle: true,
      splitting: true,
      format: 'esm',
      target: 'es2022',
      minify: true,
      legalComments: 'none',
      entryNames: '[name]-[hash]',
      chunkNames: 'map-part-[hash]',
      alias: { maplibre: join(library, 'src') },
      plugins: [unusedParts],
      // As its sources are meant: a field without a value must not hide one of the class above.
      tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
      banner: { js: '/* MapLibre GL JS, BSD-3-Clause, see maplibre-LICENSE.txt */' },
      write: false,
      logLevel: 'warning',
    })
    for (const { path, contents } of outputFiles) await write(basename(path), Buffer.from(contents))
    copyFileSync(join(library, 'LICENSE.txt'), join(folder, 'maplibre-LICENSE.txt'))
  }

  await writeMap()
  const plain = Object.values(assets).filter(({ parts }) => parts.length > 0)
  for (const { name, parts } of plain) {
    const bytes = await minified(name, Buffer.concat(parts.map((part) => readFileSync(join(sources, part)))))
    await write(builtName(name, digestOf(bytes)), bytes)
  }
}
