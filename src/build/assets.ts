/** Builds the browser assets. They are compressed at build time because the best compression takes seconds. */
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type BuildOptions, build, type Loader, transform } from 'esbuild'
import { assets, builtName, flagName } from '../http/pages/framework/assets.ts'

const pages = join(import.meta.dirname, '../http/pages')

/** Bundled from its sources so that the map and its worker share code and omit unused parts. */
const maplibre = dirname(fileURLToPath(import.meta.resolve('maplibre-gl/package.json')))

/** The browser part of passkeys. */
const webauthn = dirname(fileURLToPath(import.meta.resolve('@simplewebauthn/browser')))

/** The font of pages and maps. */
const inter = dirname(fileURLToPath(import.meta.resolve('@fontsource-variable/inter/package.json')))

/** The fonts of pictures: the renderer reads only static fonts. */
const staticInter = dirname(fileURLToPath(import.meta.resolve('@expo-google-fonts/inter/package.json')))
const staticFonts = {
  'Inter-Medium.ttf': '500Medium/Inter_500Medium.ttf',
  'Inter-SemiBold.ttf': '600SemiBold/Inter_600SemiBold.ttf',
}

/** The reader of barcodes. */
const zxing = join(dirname(fileURLToPath(import.meta.resolve('zxing-wasm/reader'))), '../../..')

/** One SVG file per country, named by its code. */
const flags = join(dirname(fileURLToPath(import.meta.resolve('country-flag-icons/package.json'))), '3x2')

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

  async function writeBundles(options: BuildOptions): Promise<void> {
    const { outputFiles = [] } = await build({
      outdir: folder,
      bundle: true,
      splitting: true,
      format: 'esm',
      target: 'es2022',
      minify: true,
      legalComments: 'none',
      entryNames: '[name]-[hash]',
      write: false,
      logLevel: 'warning',
      ...options,
    })
    for (const { path, contents } of outputFiles) await write(basename(path), Buffer.from(contents))
  }

  async function writeMap(): Promise<void> {
    await writeBundles({
      entryPoints: { map: join(pages, 'assets/map/main.js'), 'map-worker': join(maplibre, 'src/source/worker.ts') },
      chunkNames: 'map-part-[hash]',
      alias: { maplibre: join(maplibre, 'src') },
      // MapLibre expects this: fields without a value must not shadow those of the base class.
      tsconfigRaw: { compilerOptions: { useDefineForClassFields: false } },
      banner: { js: '/* MapLibre GL JS, BSD-3-Clause, see maplibre-LICENSE.txt */' },
    })
    copyFileSync(join(maplibre, 'LICENSE.txt'), join(folder, 'maplibre-LICENSE.txt'))
  }

  async function writeScanner(): Promise<void> {
    await writeBundles({
      entryPoints: { scanner: join(pages, 'assets/scanner/main.js') },
      banner: { js: '/* zxing-wasm, MIT, see zxing-wasm-LICENSE.txt */' },
    })
    const bytes = readFileSync(join(zxing, 'dist/reader/zxing_reader.wasm'))
    await write(builtName('scanner.wasm', hashOf(bytes)), bytes)
    copyFileSync(join(zxing, 'LICENSE'), join(folder, 'zxing-wasm-LICENSE.txt'))
  }

  async function writePasskeys(): Promise<void> {
    await writeBundles({
      entryPoints: { passkeys: join(pages, 'assets/passkeys.js') },
      banner: { js: '/* SimpleWebAuthn, MIT, see simplewebauthn-LICENSE.txt */' },
    })
    copyFileSync(join(webauthn, '../LICENSE.md'), join(folder, 'simplewebauthn-LICENSE.txt'))
  }

  /** Returns the style sheet of the font with the built names of its files, one for each script. */
  async function writeFonts(): Promise<string> {
    copyFileSync(join(inter, 'LICENSE'), join(folder, 'inter-LICENSE.txt'))
    let sheet = readFileSync(join(inter, 'wght.css'), 'utf8')
    for (const [path, name] of sheet.matchAll(/\.\/files\/([\w-]+\.woff2)/g)) {
      const bytes = readFileSync(join(inter, path))
      const built = builtName(name!, hashOf(bytes))
      await write(built, bytes)
      sheet = sheet.replace(path, built)
    }
    return sheet
  }

  async function writeFlags(): Promise<void> {
    copyFileSync(join(flags, '../LICENSE'), join(folder, 'country-flag-icons-LICENSE.txt'))
    for (const file of readdirSync(flags).filter((name) => /^[A-Z]{2}\.svg$/.test(name))) {
      const bytes = readFileSync(join(flags, file))
      await write(builtName(flagName(basename(file, '.svg')), hashOf(bytes)), bytes)
    }
  }

  await Promise.all([writeMap(), writeScanner(), writePasskeys(), writeFlags()])
  const fonts = Buffer.from(await writeFonts())
  const { mapLabels, ...others } = assets
  const bundles = [...Object.values(others), ...Object.values(mapLabels)].filter(({ parts }) => parts.length > 0)
  for (const { name, parts } of bundles) {
    const files = parts.map((part) => readFileSync(join(pages, part)))
    const bytes = await minify(name, Buffer.concat(name === assets.style.name ? [fonts, ...files] : files))
    await write(builtName(name, hashOf(bytes)), bytes)
  }
}

/** Copies the fonts of pictures, which the server reads. */
export function copyFonts(folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const [name, path] of Object.entries(staticFonts)) copyFileSync(join(staticInter, path), join(folder, name))
  copyFileSync(join(staticInter, 'LICENSE_FONT'), join(folder, 'inter-LICENSE.txt'))
}
