import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { operator } from '../../src/access/caller.ts'
import { ImportQuery } from '../../src/domain/transfer/contract.ts'
import { importThread } from '../../src/workers/import/import-thread.ts'
import { trackFileThread } from '../../src/workers/track-file/track-file-thread.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { dist } from '../support/process.ts'

/** Uses four times the heap limit of a worker. */
const EXHAUST = 'const all = []; for (let i = 0; i < 64; i++) all.push(new Array(2 ** 20).fill(i))'
const NEVER_END = 'for (;;);'
const FAIL = "throw new TypeError('defect')"

function program(source: string): string {
  const path = join(temporaryFolder(), 'worker.mjs')
  writeFileSync(path, source)
  return path
}

const ends = { from: { latitude: 47, longitude: 8 }, to: { latitude: 38, longitude: -9 } }
const content = () => Buffer.from(`lat,lon\n${'1,2\n'.repeat(20_000)}`)
const read = (source: string, maxReadMs?: number) =>
  trackFileThread({ program: program(source), ...(maxReadMs && { maxReadMs }) })({
    content: content(),
    name: 'x',
    ends,
  })

const tooComplex = (reason: string) =>
  expect.objectContaining({ code: 'validation_failed', message: expect.stringContaining(`too complex: ${reason}`) })

describe('a crash of a file worker', () => {
  test('affects only its own request', async () => {
    await expect(read(EXHAUST)).rejects.toEqual(tooComplex('it needs more memory'))
    await expect(read(NEVER_END, 300)).rejects.toEqual(tooComplex('reading it takes too long'))
    await expect(read(FAIL)).rejects.toThrow('defect')
    await expect(read('process.exit(0)')).rejects.toThrow('ended too early')
    const track = trackFileThread({ program: dist('track-file-worker.js') })
    expect(await track({ content: content(), name: 'x.csv', ends })).toMatchObject({
      pointCount: 20_000,
      sourceFormat: 'csv',
      sourceName: 'x.csv',
      points: expect.any(Buffer),
      line: expect.any(Buffer),
    })
  })

  test('affects only its own request during an import', async () => {
    const run = importThread({ dataDir: temporaryFolder() }, program(EXHAUST))
    const query = { ...ImportQuery.parse({}), airports: {} }
    const steps = {
      authorize: () => undefined,
      exclusively: <Result>(commit: () => Result) => commit(),
    }
    await expect(run(operator, content(), query, steps)).rejects.toEqual(tooComplex('it needs more memory'))
  })
})
