import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../../src')

/** What each layer may import besides itself. */
const allowed: Record<string, string[]> = {
  // The list of assets is part of http, and the PostgreSQL schema is generated from the tables.
  build: ['http', 'db'],
  cli: ['app', 'workers', 'http', 'domain', 'contract', 'access', 'db', 'lib'],
  app: ['workers', 'http', 'domain', 'contract', 'access', 'db', 'lib'],
  workers: ['app', 'domain', 'contract', 'access', 'db', 'lib'],
  'workers/postgres': ['lib'],
  lib: [],
  access: ['lib'],
  db: ['workers/postgres', 'lib'],
  contract: ['access', 'lib'],
  domain: ['contract', 'access', 'db', 'lib'],
  http: ['domain', 'contract', 'access', 'lib'],
}

/** Inside domain a folder may import these other folders, and of them never the store. */
const order: Record<string, string[]> = {
  activity: [],
  memory: [],
  roles: ['activity'],
  users: ['activity', 'memory', 'roles'],
  preferences: ['users'],
  profile: ['users', 'preferences'],
  credentials: ['activity', 'users', 'oauth'],
  oauth: ['activity', 'users'],
  sessions: ['activity', 'users'],
  identities: ['activity', 'users', 'roles', 'sessions'],
  visited: ['users', 'reference', 'flights', 'stats'],
  reference: [],
  'custom-fields': ['reference'],
  flights: ['activity', 'users', 'reference', 'custom-fields'],
  changes: ['flights'],
  idempotency: [],
  stats: ['flights', 'users', 'reference'],
  transfer: ['activity', 'calendar', 'flights', 'idempotency', 'users', 'reference', 'custom-fields'],
  calendar: ['flights', 'users', 'reference'],
  shares: ['activity', 'flights', 'stats', 'users', 'reference'],
}

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => name.replaceAll('\\', '/'))

const sources = files.map((file) => {
  const text = readFileSync(join(root, file), 'utf8')
  const imports = [...text.matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)].map(([, path]) =>
    relative(root, resolve(root, dirname(file), path!)).replaceAll('\\', '/'),
  )
  return { file, text, imports }
})

const layerOf = (path: string) => /^workers\/postgres/.exec(path)?.[0] ?? path.split('/')[0]!
const folderOf = (path: string) => path.split('/')[1]!

function faults(judge: (file: string, imported: string) => boolean): string[] {
  return sources.flatMap(({ file, imports }) =>
    imports.filter((imported) => !judge(file, imported)).map((imported) => `${file} imports ${imported}`),
  )
}

describe('the layers', () => {
  test('import only downwards', () => {
    expect(
      faults((file, imported) => {
        const rules = allowed[layerOf(file)]
        const target = layerOf(imported)
        return !rules || target === layerOf(file) || rules.includes(target)
      }),
    ).toEqual([])
  })

  test('know nothing of the programs that build them', () => {
    expect(faults((file, imported) => layerOf(imported) !== 'build' || layerOf(file) === 'build')).toEqual([])
  })

  test('of domain import other folders in their order', () => {
    expect(
      faults((file, imported) => {
        if (layerOf(file) !== 'domain' || layerOf(imported) !== 'domain') return true
        const [own, other] = [folderOf(file), folderOf(imported)]
        return own === other || order[own]!.includes(other)
      }),
    ).toEqual([])
  })

  test('leave a store to the folder that it is in', () => {
    expect(faults((file, imported) => !imported.endsWith('store.ts') || folderOf(file) === folderOf(imported))).toEqual(
      [],
    )
  })

  /** On files of their own, before a server runs, or to check that writing is possible. */
  const beginsTransactions =
    /^db\/(write|maintenance\/(migrate|copy|backup|probe)|sqlite\/scratch|postgres\/(client|migrate|checks))\.ts$/

  test('begin a transaction that writes only in db/write.ts', () => {
    const begins = /\.immediate\b|\.exclusive\b|\bbegin (immediate|exclusive|isolation)|exec\(['"`]begin/i
    const faulty = sources.filter(({ file, text }) => begins.test(text) && !beginsTransactions.test(file))
    expect(faulty.map(({ file }) => file)).toEqual([])
    // Every other transaction is one that only reads.
    const others = sources.filter(
      ({ file, text }) => /\.transaction\(/.test(text) && !beginsTransactions.test(file) && !/\.deferred\b/.test(text),
    )
    expect(others.map(({ file }) => file)).toEqual([])
  })

  test('of http write no SQL', () => {
    const faulty = sources.filter(
      ({ file, text }) => layerOf(file) === 'http' && /drizzle-orm|better-sqlite3/.test(text),
    )
    expect(faulty.map(({ file }) => file)).toEqual([])
  })

  test('import Drizzle only in db and in stores', () => {
    const isStore = (file: string) => /^(build|db)\/|store(\.ts$|\/)/.test(file)
    const faulty = sources.filter(({ file, text }) => /from 'drizzle-orm/.test(text) && !isStore(file))
    expect(faulty.map(({ file }) => file)).toEqual([])
  })

  test('leave the JSON that leaves here to http', () => {
    const faulty = sources.filter(({ file, text }) => layerOf(file) !== 'http' && /fast-json-stringify/.test(text))
    expect(faulty.map(({ file }) => file)).toEqual([])
  })

  test('of http never import another surface', () => {
    const shared = (path: string) => ['shared', 'health.ts'].includes(folderOf(path))
    expect(
      faults((file, imported) => {
        if (layerOf(file) !== 'http' || layerOf(imported) !== 'http') return true
        return folderOf(file) === folderOf(imported) || shared(imported)
      }),
    ).toEqual([])
  })

  /** Of pages: framework, components, maps, features/NAME. */
  const partOf = (path: string) => /^http\/pages\/((?:features\/)?[^/]+)\//.exec(path)?.[1]

  test('of pages: a feature imports no other feature, and nothing but the plugin imports features', () => {
    expect(
      faults((file, imported) => {
        const [own, other] = [partOf(file), partOf(imported)]
        return own === other || !other?.startsWith('features/') || file === 'http/pages/framework/plugin.tsx'
      }),
    ).toEqual([])
  })

  test('of pages have no file outside of these parts', () => {
    expect(files.filter((file) => file.startsWith('http/pages/') && partOf(file) === undefined)).toEqual([])
  })

  test('never import each other in a circle', () => {
    const importsOf = new Map(sources.map(({ file, imports }) => [file, imports]))
    const done = new Set<string>()
    /** The first circle on the way down from a file, as the files that it goes through. */
    function circleFrom(file: string, way: readonly string[]): string[] | undefined {
      if (way.includes(file)) return [...way.slice(way.indexOf(file)), file]
      if (done.has(file)) return undefined
      for (const next of importsOf.get(file) ?? []) {
        const circle = circleFrom(next, [...way, file])
        if (circle) return circle
      }
      done.add(file)
      return undefined
    }
    expect(files.flatMap((file) => circleFrom(file, [])?.join(' → ') ?? [])).toEqual([])
  })

  test('have no default export and read the environment in one place', () => {
    const faulty = sources.filter(
      ({ file, text }) => /^export default/m.test(text) || (/process\.env\b/.test(text) && !file.startsWith('cli/')),
    )
    expect(faulty.map(({ file }) => file)).toEqual([])
  })

  test.each([
    ['when a flight counts as completed', 'domain/flights/times.ts', /completed_?from\s*[<>]/i],
    ['the instant that decides it', 'domain/flights/times.ts', /\.takeoffActual,\s*\w+\.departureScheduled/],
    ['who may see a flight', 'domain/flights/query/visible.ts', /notFound\('flight'\)/],
    ['the days of an open period', 'domain/flights/query/target.ts', /\?\? '0000'/],
    ['the distance of two airports', 'lib/geo.ts', /\b6371008\.8\b/],
  ])('declare once %s', (_rule, place, sign) => {
    expect(sources.filter(({ text }) => sign.test(text)).map(({ file }) => file)).toEqual([place])
  })
})
