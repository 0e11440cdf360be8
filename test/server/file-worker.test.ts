import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { operator } from '../../src/access/caller.ts'
import { ImportQuery } from '../../src/domain/transfer/contract.ts'
import { documentThread } from '../../src/workers/document/document-thread.ts'
import { importThread } from '../../src/workers/import/import-thread.ts'
import { trackFileThread } from '../../src/workers/track-file/track-file-thread.ts'
import { mails } from '../domain/documents/samples.ts'
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

  test('affects only its own request while a travel document is read', async () => {
    const document = () => ({ content: Buffer.from('BEGIN:VCALENDAR'), date: '2025-05-03' })
    const readBy = (source: string, maxReadMs?: number) =>
      documentThread({ program: program(source), ...(maxReadMs && { maxReadMs }) })(document())
    const ready = "import { parentPort } from 'node:worker_threads'; parentPort.postMessage({ type: 'ready' });"
    await expect(readBy(EXHAUST)).rejects.toEqual(tooComplex('it needs more memory'))
    await expect(readBy(`${ready}${NEVER_END}`, 300)).rejects.toEqual(tooComplex('reading it takes too long'))
    await expect(readBy(FAIL)).rejects.toThrow('defect')
    await expect(readBy('process.exit(0)')).rejects.toThrow('ended too early')
    // The deadline begins when the program is loaded.
    const slowStart = `await new Promise((end) => setTimeout(end, 600));${ready}`
    await expect(readBy(slowStart, 300)).rejects.toThrow('ended too early')
    const read = documentThread({ program: dist('document-worker.js') })
    await expect(read(document())).rejects.toMatchObject({ code: 'validation_failed' })
    const { content, type: contentType, expected } = mails[0]!
    const found = await read({ content: Buffer.from(content as Buffer), contentType, date: '2025-05-03' })
    expect(found).toMatchObject([{ flightNumber: expected[0]!.number }])
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
