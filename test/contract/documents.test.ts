import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, expect, test } from 'vitest'
import { settings } from '../../src/app/config.ts'
import { allCommands } from '../../src/cli/run.ts'
import { csvFields, csvSynonyms } from '../../src/domain/transfer/formats/csv-fields.ts'
import { root } from '../support/process.ts'

const read = (name: string) => readFileSync(join(root, name), 'utf8')
const listFiles = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name))

const sources = ['src', 'test'].flatMap(listFiles).filter((name) => /\.tsx?$/.test(name))
const documents = [...readdirSync(root), ...['docs', 'src', 'test', '.github'].flatMap(listFiles)]
  .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
  .sort()

/** Without code blocks, in which a hash starts a comment. */
const prose = (name: string) => read(name).replace(/^```.*?^```$/gms, '')

/** The heading anchors of a document, as GitHub generates them. */
function anchors(name: string): Set<string> {
  const found = new Set<string>()
  for (const [, heading] of prose(name).matchAll(/^#+ (.*)$/gm)) {
    const plain = heading!.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const anchor = plain.replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-')
    const times = [...found].filter((other) => other === anchor || /^-\d+$/.test(other.slice(anchor.length))).length
    found.add(found.has(anchor) ? `${anchor}-${times}` : anchor)
  }
  return found
}

const linksOf = (name: string) => [...prose(name).matchAll(/\]\(((?!\w+:)[^)\s]+)\)/g)].map(([, target]) => target!)

function targetExists(name: string, target: string): boolean {
  const [path, anchor] = target.split('#') as [string, string?]
  const file = path === '' ? name : normalize(join(dirname(name), path))
  if (!existsSync(join(root, file))) return false
  return anchor === undefined || anchors(file).has(anchor)
}

/** Table rows of a document whose first cell is a code word, by that word. */
const rowsOf = (name: string) =>
  new Map([...read(name).matchAll(/^\| `([^`]+)` \| (.*) \|$/gm)].map(([, word, rest]) => [word!, rest!.split(' | ')]))

/** References in test titles and comments, with their file. */
function findReferences(pattern: RegExp): [what: string, where: string][] {
  return sources.flatMap((name) =>
    [...read(name).matchAll(pattern)].flatMap(([, list]) =>
      list!.split(/[ ,]+/).map((what): [string, string] => [what, name]),
    ),
  )
}

describe('the table of CSV headers in docs/contract.md', () => {
  test.each(csvFields)('lists those of %s', (field) => {
    const rows = [...read('docs/contract.md').matchAll(/^\| `(\w+)`\*? \| .* \| (.+) \|$/gm)]
    const lists = rows.filter(([, name]) => name === field).map(([, , list]) => list)
    expect(lists).toContain(csvSynonyms[field].join(', '))
  })
})

describe('the tables of docs/hosting.md', () => {
  const rows = rowsOf('docs/hosting.md')

  test.each(settings)('have a row for $name with its default and description', ({ name, fallback, description }) => {
    const [stated, text] = rows.get(name) ?? []
    expect(text?.replaceAll('`', '').startsWith(description)).toBe(true)
    if (name === 'BASE_URL') expect(stated).toBe('`http://localhost:PORT`')
    else expect(stated).toBe(fallback === undefined ? 'unset' : `\`${fallback}\``)
  })

  test('contain only variables and commands that exist', async () => {
    const documented = [...rows.keys()].filter((name) => /^[A-Z_]+$/.test(name))
    expect(documented).toEqual(settings.map(({ name }) => name))
    const named = [...rows.keys()].filter((name) => name.startsWith('paxlog '))
    expect(named).toEqual((await allCommands()).map(({ name }) => `paxlog ${name}`))
  })
})

describe('the README', () => {
  const readme = read('README.md')

  test('gives a reason for exactly the runtime dependencies', () => {
    const [, section] = /## Runtime dependencies\n(.*?)\n## /s.exec(readme)!
    const named = [...section!.matchAll(/^\| ([^|]+) \|/gm)]
      .flatMap(([, cell]) => cell!.split(', '))
      .filter((name) => name !== 'Package' && !/^-+$/.test(name))
    const { dependencies } = JSON.parse(read('package.json'))
    expect(named.sort()).toEqual(Object.keys(dependencies).sort())
  })

  test('contains the commands to run and test the project', () => {
    for (const command of ['npm ci && npm start', 'npm ci && npm test']) {
      expect(readme).toContain(`\`\`\`sh\n${command}\n\`\`\``)
    }
  })

  test('is short and links every document in docs', () => {
    expect(Buffer.byteLength(readme)).toBeLessThan(10_000)
    const linked = new Set(linksOf('README.md').map((target) => target.split('#')[0]))
    expect(documents.filter((name) => name.startsWith('docs/') && !linked.has(name))).toEqual([])
  })
})

describe('documents', () => {
  test('are found by these tests', () => {
    expect(documents).toEqual(
      expect.arrayContaining(['README.md', 'docs/contract.md', 'src/README.md', 'test/README.md']),
    )
  })

  test.each(documents)('link only to files and headings that exist: %s', (name) => {
    expect(linksOf(name).filter((target) => !targetExists(name, target))).toEqual([])
  })

  test('in src name only sources that exist', () => {
    const named = [...read('src/README.md').matchAll(/`((?:[a-z0-9-]+\/)*[a-z0-9-]+\.ts)`/g)].map(([, file]) => file!)
    const folders = ['', 'db/', 'domain/profile/', 'domain/reference/']
    const missing = named.filter((file) => !folders.some((folder) => existsSync(join(root, 'src', folder, file))))
    expect(missing.filter((file) => !existsSync(join(root, file)))).toEqual([])
  })

  test('name sources and tests by paths that exist', () => {
    const named = documents.flatMap((name) =>
      [...read(name).matchAll(/(?<=[\s`(])((?:[a-z0-9-]+\/)+[a-z0-9-]+\.tsx?)(?=[\s`):,])/g)].map(([, file]) => [
        name,
        file!,
      ]),
    ) as [string, string][]
    expect(named.length).toBeGreaterThan(50)
    const places = ['', 'src', 'test']
    expect(named.filter(([, file]) => !places.some((place) => existsSync(join(root, place, file))))).toEqual([])
  })

  test('name only npm scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json'))
    const named = documents.flatMap((name) =>
      [...read(name).matchAll(/npm run ([a-z:-]+)/g)].map(([, script]) => script!),
    )
    expect(named.filter((script) => !(script in scripts))).toEqual([])
  })
})

describe('references in sources and tests', () => {
  test('name existing sections of the contract', () => {
    const sections = new Set(
      [...read('docs/contract.md').matchAll(/^#+ (\d+(?:\.\d+)?) /gm)].map(([, number]) => number!),
    )
    const citations = findReferences(/\bcontract (\d+(?:\.\d+)?)/g)
    expect(citations.length).toBeGreaterThan(50)
    expect(citations.filter(([section]) => !sections.has(section))).toEqual([])
  })

  const matrices = ['docs/security-matrix.md', 'docs/reliability-matrix.md'].map(read).join('\n')
  const rows = [...matrices.matchAll(/^\| ([A-Z]\d+) \|/gm)].map(([, row]) => row!)

  test('name existing matrix rows with unique ids', () => {
    expect(new Set(rows).size).toBe(rows.length)
    const citations = findReferences(/\b(?:test|describe)(?:\.\w+)*\(\s*['`]([A-Z]\d+(?:,? [A-Z]\d+)*):/g)
    expect(citations.length).toBeGreaterThan(100)
    expect(citations.filter(([row]) => !rows.includes(row))).toEqual([])
  })

  test('cover every matrix row except those listed in test/README.md', () => {
    const proved = new Set(findReferences(/\b([A-Z]\d+(?:,? [A-Z]\d+)*):/g).map(([row]) => row))
    const exempt = [...read('test/README.md').matchAll(/^\| ([A-Z]\d.*?) \|/gm)].flatMap(([, cell]) =>
      [...cell!.matchAll(/([A-Z])(\d+)(?: to \1(\d+))?/g)].flatMap(([, letter, first, last = first]) =>
        Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => `${letter}${Number(first) + index}`),
      ),
    )
    const decisions = rows.filter((row) => row.startsWith('X'))
    const uncovered = rows.filter((row) => !proved.has(row) && !exempt.includes(row) && !decisions.includes(row))
    expect(uncovered).toEqual([])
  })
})
