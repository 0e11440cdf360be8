/**
 * Packs the files of the image as `dist/paxlog-VERSION-linux-ARCH.tar.gz`, for machines with Node and without a container:
 * `npm run release:tarball`.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }

const COMMAND = `#!/bin/sh
exec node "$(dirname "$(readlink -f "$0")")/dist/cli.js" "$@"
`

if (process.platform !== 'linux') {
  process.stderr.write('The release is for Linux: run this command there, or in a container.\n')
  process.exit(1)
}
const [target = join(root, 'dist')] = process.argv.slice(2)
const temporary = mkdtempSync(join(tmpdir(), 'paxlog-release-'))
try {
  const name = `paxlog-${version}`
  const folder = join(temporary, name)
  execFileSync(process.execPath, [join(import.meta.dirname, 'image.ts'), folder], { stdio: 'inherit' })
  for (const file of ['README.md', 'CHANGELOG.md', 'SECURITY.md', 'docs', 'deploy/paxlog.service'])
    cpSync(join(root, file), join(folder, file), { recursive: true })
  writeFileSync(join(folder, 'paxlog'), COMMAND)
  chmodSync(join(folder, 'paxlog'), 0o755)
  const archive = join(target, `${name}-linux-${process.arch}.tar.gz`)
  execFileSync('tar', ['--owner=0', '--group=0', '--sort=name', '-czf', archive, '-C', temporary, name])
  process.stdout.write(`${archive}\n`)
} finally {
  rmSync(temporary, { recursive: true })
}
