import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { textsInSource } from '../../../support/view-texts.ts'

const root = resolve(import.meta.dirname, '../../../../src/http/pages')

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => /\.(tsx?|js)$/.test(name) && !/^(texts|maps\/build)\/|\.d\.ts$/.test(name))

/** Pages of the API reference show code. */
const isCode = (file: string) => /^features\/docs\/(getting-started\.tsx|requests\.ts)$/.test(file)

/** Selectors, headers, and names in the log, in limits and in answers to programs. */
const allowed: ReadonlySet<string> = new Set([
  ...['(hover: hover)', '(prefers-color-scheme: dark)', '(prefers-reduced-motion: reduce)', '.operations li'],
  ...[
    'main form[method="post"]',
    'main input[type="search"]',
    'input, select, textarea, dialog',
    'input, select, dialog',
  ],
  ...['<html data-offline', '<!doctype html>…', 'part colour-…', 'part unknown', 'xMidYMid slice', '#e7eef5'],
  ...['any maskable', 'public, max-age=3600', 'private, no-store', 'private, no-cache', 'username webauthn'],
  ...['Paxlog', 'Inter Variable', 'curl -H "Authorization: Bearer $KEY" …/api/v1/me'],
  ...['Form refused: …', 'Too many attempts: try again in … s', 'Repeated field: …', 'This page requires signing in.'],
  ...[
    'before sign-in',
    'form drafts',
    'stored pages … …',
    'saved document flights',
    'sent flight forms',
    'sent key forms',
  ],
  ...['undo of bulk changes', 'own password', '/login by name', 'identity provider: …'],
  ...['API key', 'custom field', 'aircraft type', 'signed in', 'Too many requests; try again in … seconds.'],
])

/** Manufacturers. */
const hasNames = (file: string) => file === 'features/statistics/aircraft-family.ts'

describe('texts outside of the catalogues', () => {
  test('do not exist in pages and their scripts', () => {
    const found = files.flatMap((file) =>
      textsInSource(readFileSync(join(root, file), 'utf8'), extname(file).slice(1) as 'js' | 'ts' | 'tsx')
        .filter((text) => !allowed.has(text) && !isCode(file) && !hasNames(file))
        .map((text) => `${file}: ${text}`),
    )
    expect(found).toEqual([])
  })
})

describe('textsInSource', () => {
  test('finds texts of elements, labels and sentences', () => {
    const source = `
      const label = { title: 'Flights', id: 'some-id' }
      const note = count > 1 ? \`\${count} more flights\` : ''
      node.textContent = 'Copied'
      export const Page = ({ t }: { t: Texts }) => <p class="some class" aria-label="Menu">Hello {t.name}</p>
    `
    expect(textsInSource(source, 'tsx')).toEqual(['Flights', '… more flights', 'Copied', 'Menu', 'Hello'])
  })
})
