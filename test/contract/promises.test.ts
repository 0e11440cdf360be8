import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { measurements, notMeasured, promises } from '../promises/promises.ts'
import { root } from '../support/process.ts'

const page = readFileSync(join(root, 'docs/promises.md'), 'utf8')

test('docs/promises.md has every promise, measurement and gap (run npm run promises to update it)', () => {
  for (const { promise } of promises) expect(page).toContain(`| ${promise} |`)
  for (const { title } of measurements) expect(page).toContain(`## ${title}\n`)
  for (const { command } of measurements) expect(page).toContain(`\`${command}\``)
  for (const gap of notMeasured) expect(page).toContain(`- ${gap}`)
  const rows = [...page.matchAll(/^\| .* \| .* passed: `/gm)]
  expect(rows).toHaveLength(promises.length)
})

test('every promise names tests that exist', () => {
  const files = promises.flatMap(({ proofs }) => proofs)
  expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([])
})

test('docs/promises.md was written by a run in which every test passed', () => {
  expect(page).not.toContain('failed**')
  expect(page).not.toContain('Not everything was verified')
})
