/**
 * Makes what browsers load: minified, named by its content, and compressed as well as it can be, which takes seconds and is
 * therefore done here and not when it is asked for.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { type Loader, transform } from 'esbuild'
import { assets, builtName } from '../http/pages/assets.ts'

const sources = join(import.meta.dirname, '../http/pages/assets')

const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url').replace(/\W/g, '').slice(0, 10)

const loaders: Readonly<Record<string, Loader>> = { '.css': 'css', '.js': 'js' }

async function minified(name: string, text: string): Promise<string> {
  const loader = loaders[extname(name)]
  return loader ? (await transform(text, { loader, minify: true, target: 'es2022' })).code : text
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
    for (const [ending, pack] of Object.entries(packers)) {
      const known = join(before, file + ending)
      writeFileSync(join(folder, file + ending), existsSync(known) ? readFileSync(known) : await pack(bytes))
    }
  }

  for (const { name, parts } of Object.values(assets)) {
    const text = await minified(name, parts.map((part) => readFileSync(join(sources, part), 'utf8')).join('\n'))
    await write(builtName(name, digestOf(text)), Buffer.from(text))
  }
}
