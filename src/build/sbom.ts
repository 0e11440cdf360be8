/**
 * Prints the packages that a running Paxlog is made of as a CycloneDX bill of materials. It is read from the lock file
 * alone, without dates, serial numbers or paths: the same sources give the same text on every machine. `npm sbom` leaves
 * out every package that is used for tests as well, and names the folder instead of the program.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

interface LockedPackage {
  name?: string
  version: string
  license?: string
  integrity?: string
  /** Used for building and testing only. */
  dev?: true
  /** A folder of this repository, which stands in the list a second time. */
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

const nameOf = (path: string) => path.slice(path.lastIndexOf(FOLDER) + FOLDER.length)
const purl = (name: string, version: string) => `pkg:npm/${name.replace('@', '%40')}@${version}`

/** Two folders may hold the same version of a package, so the folder is what tells them apart. */
const reference = (path: string) => (path === '' ? 'paxlog' : path.slice(FOLDER.length).replaceAll(`/${FOLDER}`, '>'))

function licences(license = 'NOASSERTION') {
  return /^[\w.-]+$/.test(license) ? [{ license: { id: license } }] : [{ expression: license }]
}

function component([path, { version, license, integrity = '' }]: [path: string, found: LockedPackage]) {
  const name = nameOf(path)
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

/** Where a package finds another one: in its own folder first, then in each one above it. */
function find(from: string, name: string): string | undefined {
  for (let place = from; ; place = place.slice(0, Math.max(0, place.lastIndexOf(`/${FOLDER}`)))) {
    const path = place === '' ? `${FOLDER}${name}` : `${place}/${FOLDER}${name}`
    if (packages[path]) return packages[path].dev ? undefined : path
    if (place === '') return undefined
  }
}

function dependenciesOf([path, found]: [path: string, found: LockedPackage]) {
  const names = Object.keys({ ...found.peerDependencies, ...found.optionalDependencies, ...found.dependencies })
  const paths = names.map((name) => find(path, name)).filter((each) => each !== undefined)
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
