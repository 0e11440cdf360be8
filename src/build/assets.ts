/** Builds the browser assets. They are compressed at build time because the best compression takes seconds. */
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { build, type Loader, transform } from 'esbuild'
import { assets, builtName } from '../http/pages/framework/assets.ts'

const pages = join(import.meta.dirname, '../http/pages')

/** Bundled from its sources so that the map and its worker share code and omit unused parts. */
const maplibre = dirname(fileURLToPath(import.meta.resolve('maplibre-gl/package.json')))

/** The font of the labels on maps. */
const inter = dirname(fileURLToPath(import.meta.resolve('@fontsource-variable/inter/package.json')))

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('base64url').replace(/\W/g, '').slice(0, 10)

const loaders: Readonly<Record<string, Loader>> = { '.css': 'css', '.js': 'js' }

async function minify(name: string, bytes: Buffer): Promise<Buffer> {
  const loader = loaders[extname(name)]
  return loader ? Buffer.from((await transform(bytes, { loader, minify: true, target: 'es2022' })).code) : bytes
}

const toBrotli = promisify(brotliCompress)
const toGzip = promisify(gzip)

const compressors = {
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

/** Unchanged files of the previous build are not compressed again. */
export async function buildAssets(folder: string, previous: string): Promise<void> {
  mkdirSync(folder, { recursive: true })

  async function write(file: string, bytes: Buffer): Promise<void> {
    writeFileSync(join(folder, file), bytes)
    if (['.png', '.woff2'].includes(extname(file))) return
    for (const [extension, compress] of Object.entries(compressors)) {
      const existing = join(previous, file + extension)
      writeFileSync(
        join(folder, file + extension),
        existsSync(existing) ? readFileSync(existing) : await compress(bytes),
      )
    }
  }

  async function writeMap(): Promise<void> {
    const { outputFiles } = await build({
      entryPoints: { map: join(pages, 'assets/map/main.js'), 'map-worker': join(maplibre, 'src/source/worker.ts') },
      outdir: folder,
      bundle: true,
      splitting: true,
      format: 'esm',
      target: 'es2022',
      minify: true,
      legalComments: 'none',
      entryNames: '[name]-[hash]',
      chunkNames: 'map-part-[hash]',
      alias: { maplibre: join(maplibre, 'src') },
      // MapLibre expects this: fields without a value must not shadow those of the base class.
      tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
      banner: { js: '/* MapLibre GL JS, BSD-3-Clause, see maplibre-LICENSE.txt */' },
      write: false,
      logLevel: 'warning',
    })
    for (const { path, contents } of outputFiles) await write(basename(path), Buffer.from(contents))
    copyFileSync(join(maplibre, 'LICENSE.txt'), join(folder, 'maplibre-LICENSE.txt'))
  }

  async function writeFont({ name }: { name: string }, subset: string): Promise<void> {
    const bytes = readFileSync(join(inter, `files/inter-${subset}-wght-normal.woff2`))
    await write(builtName(name, hashOf(bytes)), bytes)
  }

  await writeMap()
  await writeFont(assets.font, 'latin')
  await writeFont(assets.fontExtended, 'latin-ext')
  copyFileSync(join(inter, 'LICENSE'), join(folder, 'inter-LICENSE.txt'))
  const { mapLabels, ...others } = assets
  const bundles = [...Object.values(others), ...Object.values(mapLabels)].filter(({ parts }) => parts.length > 0)
  for (const { name, parts } of bundles) {
    const bytes = await minify(name, Buffer.concat(parts.map((part) => readFileSync(join(pages, part)))))
    await write(builtName(name, hashOf(bytes)), bytes)
  }
}
