/**
 * Lays out in a new folder what the image of the container holds: the built program and the files it reads when it runs,
 * for the processor this runs on. What only people, compilers or other systems use stays behind.
 *
 *     node src/build/image.ts FOLDER
 */
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '../..')

/** What is copied, file by file or as a folder. */
const parts = [
  'package.json',
  'LICENSE',
  'dist',
  'migrations',
  'src/domain/reference/data',
  // What browsers load lies in dist; from these the server draws.
  'src/http/pages/map/data',
  // Everything else is in the bundle; these packages are native code and what it needs to be found.
  ...ofPackage('better-sqlite3', 'LICENSE', 'lib', `prebuilds/linux-${process.arch}.node`),
  ...ofPackage('argon2', 'LICENSE', 'argon2.cjs', `prebuilds/linux-${process.arch}`),
  ...ofPackage('@phc/format', 'license', 'index.js'),
  ...ofPackage('node-gyp-build', 'LICENSE', 'index.js', 'node-gyp-build.js'),
  ...ofPackage('@resvg/resvg-js', 'LICENSE', 'index.js', 'js-binding.js'),
  ...ofPackage(`@resvg/resvg-js-linux-${process.arch}-gnu`, `resvgjs.linux-${process.arch}-gnu.node`),
]

function ofPackage(name: string, ...files: string[]): string[] {
  return ['package.json', ...files].map((file) => `node_modules/${name}/${file}`)
}

/** What is left out of those folders. */
const unused = [
  // Nothing reads them when the program runs.
  /^dist\/.*\.map$/,
  // Only the tool that writes migrations compares with these.
  /^migrations\/meta\/.*_snapshot\.json$/,
  /^src\/http\/pages\/map\/data\/README\.md$/,
  // Already part of the shipped rows. Those of airports are kept: `paxlog reference update --airports` applies them.
  /^src\/domain\/reference\/data\/(README\.md|airline-\w+\.csv|aircraft-corrections\.csv|airport-aliases\.csv|cities\.csv|city-names\.csv|regions\.csv|other-names\.csv)$/,
  // The image is made from Debian.
  /\.musl\.node$/,
]

const [folder] = process.argv.slice(2)
if (!folder || existsSync(folder)) {
  process.stderr.write('Usage: node src/build/image.ts FOLDER, which must not exist yet.\n')
  process.exit(2)
}
for (const part of parts) {
  const target = join(folder, part)
  mkdirSync(dirname(target), { recursive: true })
  cpSync(join(root, part), target, {
    recursive: true,
    dereference: true,
    filter: (source) => !unused.some((pattern) => pattern.test(source.slice(root.length + 1))),
  })
}
