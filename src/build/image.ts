/** Copies the files of the container image to a new folder, for the architecture of this machine. */
import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '../..')

const parts = [
  'package.json',
  'LICENSE',
  'dist',
  'migrations',
  'src/domain/reference/data',
  // Used to draw maps on the server.
  'src/http/pages/maps/data',
  // Native packages and their loaders; everything else is bundled.
  ...packageFiles('better-sqlite3', 'LICENSE', 'lib', `prebuilds/linux-${process.arch}.node`),
  ...packageFiles('argon2', 'LICENSE', 'argon2.cjs', `prebuilds/linux-${process.arch}`),
  ...packageFiles('@phc/format', 'license', 'index.js'),
  ...packageFiles('node-gyp-build', 'LICENSE', 'index.js', 'node-gyp-build.js'),
  ...packageFiles('@resvg/resvg-js', 'LICENSE', 'index.js', 'js-binding.js'),
  ...packageFiles(`@resvg/resvg-js-linux-${process.arch}-gnu`, `resvgjs.linux-${process.arch}-gnu.node`),
]

function packageFiles(name: string, ...files: string[]): string[] {
  return ['package.json', ...files].map((file) => `node_modules/${name}/${file}`)
}

const excluded = [
  /^dist\/.*\.map$/,
  // Used by drizzle-kit only.
  /^migrations\/meta\/.*_snapshot\.json$/,
  /^src\/http\/pages\/maps\/data\/README\.md$/,
  // Already part of the shipped rows. The corrections of airports are kept for `paxlog reference update --airports`.
  /^src\/domain\/reference\/data\/(README\.md|airline-(additions|corrections)\.csv|aircraft-corrections\.csv|airport-aliases\.csv|cities\.csv|city-names\.csv|regions\.csv|other-names\.csv)$/,
  // The image uses Debian.
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
    filter: (source) => !excluded.some((pattern) => pattern.test(source.slice(root.length + 1))),
  })
}
