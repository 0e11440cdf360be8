/**
 * Prints the runtime dependencies as a CycloneDX bill of materials. It depends only on the lock file, so the output is
 * reproducible. `npm sbom` omits packages that tests use as well, and names the folder instead of the program.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface LockedPackage {
  name?: string
  version: string
  license?: string
  integrity?: string
  dev?: true
  link?: true
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

const root = join(import.meta.dirname, '../..')
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, LockedPackage>
}

const FOLDER = 'node_modules/'
const runtime = Object.entries(packages).filter(([path, { dev, link }]) => path.startsWith(FOLDER) && !dev && !link)

const packageName = (path: string) => path.slice(path.lastIndexOf(FOLDER) + FOLDER.length)
const purl = (name: string, version: string) => `pkg:npm/${name.replace('@', '%40')}@${version}`

/** The folder, because the same version may be installed twice. */
const reference = (path: string) => (path === '' ? 'paxlog' : path.slice(FOLDER.length).replaceAll(`/${FOLDER}`, '>'))

function licences(license = 'NOASSERTION') {
  return /^[\w.-]+$/.test(license) ? [{ license: { id: license } }] : [{ expression: license }]
}

function component([path, { version, license, integrity = '' }]: [path: string, found: LockedPackage]) {
  const name = packageName(path)
  const [group, own] = name.startsWith('@') ? name.split('/') : [undefined, name]
  const [algorithm, digest] = integrity.split('-') as [string, string]
  if (algorithm !== 'sha512') throw new Error(`${name} has no SHA-512 digest in the lock file.`)
  return {
    type: 'library',
    'bom-ref': reference(path),
    ...(group && { group }),
    name: own,
    version,
    scope: 'required',
    hashes: [{ alg: 'SHA-512', content: Buffer.from(digest, 'base64').toString('hex') }],
    licenses: licences(license),
    purl: purl(name, version),
  }
}

/** Node's resolution: the own folder first, then each parent. */
function resolvePackage(from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf(`/${FOLDER}`)))) {
    const path = folder === '' ? `${FOLDER}${name}` : `${folder}/${FOLDER}${name}`
    if (packages[path]) return packages[path].dev ? undefined : path
    if (folder === '') return undefined
  }
}

function dependenciesOf([path, found]: [path: string, found: LockedPackage]) {
  const names = Object.keys({ ...found.peerDependencies, ...found.optionalDependencies, ...found.dependencies })
  const paths = names.map((name) => resolvePackage(path, name)).filter((each) => each !== undefined)
  return { ref: reference(path), dependsOn: paths.map(reference).sort() }
}

const { version, license } = packages['']!
const bill = {
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: {
    component: {
      ...{ type: 'application', 'bom-ref': reference(''), name: 'paxlog', version },
      ...{ licenses: licences(license), purl: purl('paxlog', version) },
    },
  },
  components: runtime.map(component),
  dependencies: [['', packages['']!] as [string, LockedPackage], ...runtime].map(dependenciesOf),
}
process.stdout.write(`${JSON.stringify(bill, null, 2)}\n`)
