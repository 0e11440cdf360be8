import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '../../src')

/** The layers that each layer may import besides itself. */
const allowed: Record<string, string[]> = {
  // The asset list is part of http, and the PostgreSQL schema is generated from the tables.
  build: ['http', 'db'],
  cli: ['app', 'workers', 'http', 'domain', 'contract', 'access', 'db', 'lib', 'messages'],
  app: ['workers', 'http', 'domain', 'contract', 'access', 'db', 'lib', 'messages'],
  workers: ['app', 'domain', 'contract', 'access', 'db', 'lib', 'messages'],
  'workers/postgres': ['lib', 'messages'],
  lib: ['messages'],
  messages: [],
  access: ['lib', 'messages'],
  db: ['workers/postgres', 'lib', 'messages'],
  contract: ['access', 'lib', 'messages'],
  domain: ['contract', 'access', 'db', 'lib', 'messages'],
  http: ['domain', 'contract', 'access', 'lib', 'messages'],
}

/** The other folders that each domain folder may import, except for their stores. */
const order: Record<string, string[]> = {
  activity: [],
  memory: [],
  roles: ['activity'],
  users: ['activity', 'memory', 'roles'],
  preferences: ['users'],
  profile: ['users', 'preferences'],
  credentials: ['activity', 'users', 'oauth'],
  oauth: ['activity', 'memory', 'users'],
  sessions: ['activity', 'users'],
  passkeys: ['activity', 'memory', 'users', 'sessions'],
  identities: ['activity', 'users', 'roles', 'sessions', 'passkeys'],
  visited: ['users', 'reference', 'flights', 'stats'],
  reference: [],
  'custom-fields': ['reference'],
  flights: ['activity', 'users', 'reference', 'custom-fields'],
  changes: ['flights'],
  idempotency: [],
  stats: ['flights', 'users', 'reference'],
  transfer: ['activity', 'calendar', 'flights', 'idempotency', 'users', 'reference', 'custom-fields'],
  documents: ['flights', 'reference'],
  calendar: ['flights', 'users', 'reference', 'trips'],
  trips: ['activity', 'flights', 'reference'],
  shares: ['activity', 'flights', 'stats', 'users', 'reference', 'trips'],
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

function violations(isAllowed: (file: string, imported: string) => boolean): string[] {
  return sources.flatMap(({ file, imports }) =>
    imports.filter((imported) => !isAllowed(file, imported)).map((imported) => `${file} imports ${imported}`),
  )
}

describe('the layers', () => {
  test('import only downwards', () => {
    expect(
      violations((file, imported) => {
        const rules = allowed[layerOf(file)]
        const target = layerOf(imported)
        return !rules || target === layerOf(file) || rules.includes(target)
      }),
    ).toEqual([])
  })

  test('do not import build programs', () => {
    expect(violations((file, imported) => layerOf(imported) !== 'build' || layerOf(file) === 'build')).toEqual([])
  })

  test('of domain import other folders only in the given order', () => {
    expect(
      violations((file, imported) => {
        if (layerOf(file) !== 'domain' || layerOf(imported) !== 'domain') return true
        const [folder, other] = [folderOf(file), folderOf(imported)]
        return folder === other || order[folder]!.includes(other)
      }),
    ).toEqual([])
  })

  test('import a store only within its folder', () => {
    expect(
      violations((file, imported) => !imported.endsWith('store.ts') || folderOf(file) === folderOf(imported)),
    ).toEqual([])
  })

  /** These files use separate databases, run before the server starts, or check that writes are possible. */
  const transactionFiles =
    /^db\/(write|maintenance\/(migrate|copy|backup|probe)|sqlite\/scratch|postgres\/(client|migrate|checks))\.ts$/

  test('begin write transactions only in db/write.ts', () => {
    const beginsWrite = /\.immediate\b|\.exclusive\b|\bbegin (immediate|exclusive|isolation)|exec\(['"`]begin/i
    const offenders = sources.filter(({ file, text }) => beginsWrite.test(text) && !transactionFiles.test(file))
    expect(offenders.map(({ file }) => file)).toEqual([])
    // All other transactions are read-only.
    const others = sources.filter(
      ({ file, text }) => /\.transaction\(/.test(text) && !transactionFiles.test(file) && !/\.deferred\b/.test(text),
    )
    expect(others.map(({ file }) => file)).toEqual([])
  })

  test('of http contain no SQL', () => {
    const offenders = sources.filter(
      ({ file, text }) => layerOf(file) === 'http' && /drizzle-orm|better-sqlite3/.test(text),
    )
    expect(offenders.map(({ file }) => file)).toEqual([])
  })

  test('import Drizzle only in db and in stores', () => {
    const isStore = (file: string) => /^(build|db)\/|store(\.ts$|\/)/.test(file)
    const offenders = sources.filter(({ file, text }) => /from 'drizzle-orm/.test(text) && !isStore(file))
    expect(offenders.map(({ file }) => file)).toEqual([])
  })

  test('serialize JSON responses only in http', () => {
    const offenders = sources.filter(({ file, text }) => layerOf(file) !== 'http' && /fast-json-stringify/.test(text))
    expect(offenders.map(({ file }) => file)).toEqual([])
  })

  test('of http never import another surface', () => {
    const shared = (path: string) => ['shared', 'health.ts'].includes(folderOf(path))
    expect(
      violations((file, imported) => {
        if (layerOf(file) !== 'http' || layerOf(imported) !== 'http') return true
        return folderOf(file) === folderOf(imported) || shared(imported)
      }),
    ).toEqual([])
  })

  /** The parts of pages: framework, components, maps, features/NAME. */
  const partOf = (path: string) => /^http\/pages\/((?:features\/)?[^/]+)\//.exec(path)?.[1]

  test('of pages: features import no other feature, and only the plugin imports features', () => {
    expect(
      violations((file, imported) => {
        const [part, other] = [partOf(file), partOf(imported)]
        return part === other || !other?.startsWith('features/') || file === 'http/pages/framework/plugin.tsx'
      }),
    ).toEqual([])
  })

  test('of pages contain no files outside these parts', () => {
    expect(files.filter((file) => file.startsWith('http/pages/') && partOf(file) === undefined)).toEqual([])
  })

  test('have no import cycles', () => {
    const importsOf = new Map(sources.map(({ file, imports }) => [file, imports]))
    const done = new Set<string>()
    /** The first import cycle reachable from a file, as a list of files. */
    function findCycle(file: string, path: readonly string[]): string[] | undefined {
      if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
      if (done.has(file)) return undefined
      for (const next of importsOf.get(file) ?? []) {
        const cycle = findCycle(next, [...path, file])
        if (cycle) return cycle
      }
      done.add(file)
      return undefined
    }
    expect(files.flatMap((file) => findCycle(file, [])?.join(' → ') ?? [])).toEqual([])
  })

  test('have no default exports and read the environment only in cli', () => {
    const offenders = sources.filter(
      ({ file, text }) => /^export default/m.test(text) || (/process\.env\b/.test(text) && !file.startsWith('cli/')),
    )
    expect(offenders.map(({ file }) => file)).toEqual([])
  })

  test.each([
    ['when a flight is completed', 'domain/flights/times.ts', /completed_?from\s*[<>]/i],
    ['the instant of completion', 'domain/flights/times.ts', /\.takeoffActual,\s*\w+\.departureScheduled/],
    ['who may see a flight', 'domain/flights/query/visible.ts', /notFound\('flight'\)/],
    ['the days of an open period', 'domain/flights/query/target.ts', /\?\? '0000'/],
    ['the distance of two airports', 'lib/geo.ts', /\b6371008\.8\b/],
  ])('declare %s once', (_rule, place, pattern) => {
    expect(sources.filter(({ text }) => pattern.test(text)).map(({ file }) => file)).toEqual([place])
  })
})
