/**
 * Writes the descriptions in `deploy/` to a folder, with the image and the repository that they name:
 * `npm run release:deploy -- --image ghcr.io/OWNER/paxlog:1.0.0 --repository https://github.com/OWNER/paxlog`.
 */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

const root = join(import.meta.dirname, '../..')

const { values } = parseArgs({
  options: {
    image: { type: 'string' },
    repository: { type: 'string' },
    folder: { type: 'string', default: join(root, 'dist/deploy') },
  },
})
const { image, repository, folder } = values
if (!image || !repository) {
  process.stderr.write('Usage: npm run release:deploy -- --image NAME:TAG --repository URL [--folder FOLDER]\n')
  process.exit(2)
}
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const names: Record<string, string> = { IMAGE: image, REPOSITORY: repository, VERSION: version }

rmSync(folder, { recursive: true, force: true })
cpSync(join(root, 'deploy'), folder, { recursive: true })
// The unit needs the files of the tarball, which contains it.
rmSync(join(folder, 'paxlog.service'))
const readme = join(folder, 'README.md')
const [table = ''] = readFileSync(readme, 'utf8')
  .replace(/^\| systemd .*\n/m, '')
  .replaceAll('](../', `](${repository}/blob/v${version}/`)
  .split('\nThese platforms pull')
writeFileSync(readme, table)
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile() || !/\.(ya?ml|xml)$/.test(entry.name)) continue
  const path = join(entry.parentPath, entry.name)
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replaceAll(/\b(IMAGE|REPOSITORY)\b|VERSION\b/g, (name) => names[name]!),
  )
}
process.stdout.write(`${folder}\n`)
