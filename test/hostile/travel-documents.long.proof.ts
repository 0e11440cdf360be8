import { expect, test } from 'vitest'
import { operator } from '../../src/access/caller.ts'
import { createServices } from '../../src/app/services.ts'
import { closeDatabase, openDatabase } from '../../src/db/open.ts'
import { FlightWrite } from '../../src/domain/flights/contract.ts'
import { AppError } from '../../src/lib/errors.ts'
import { samples } from '../domain/documents/samples.ts'
import { measured } from '../support/measured.ts'
import { memoryOf } from '../support/memory.ts'
import { mutatedDocument } from '../support/mutated-document.ts'
import { loadedFolder, ownerKey } from '../support/process.ts'
import { SEED, seeded } from '../support/random.ts'
import { watchedServer } from '../support/watched-server.ts'

const IS_LONG = process.env.PAXLOG_SLOW_TESTS === '1'
const DOCUMENTS = IS_LONG ? 100_000 : 5_000
/** Through a server and its workers, which takes a tenth of a second each. */
const REQUESTS = IS_LONG ? 2_000 : 200
const MAX_FINDINGS = 5
/** CPU time for a document of some kilobytes. Quadratic cost of a mutation would be far above it. */
const MAX_DOCUMENT_MS = 1_000
/** Caches fill at the beginning. */
const WARM_UP = 0.2
const MAX_GROWTH_MB = 100

const types = [undefined, ...new Set(samples.map(({ type }) => type))]

function describeDocument(number: number, bytes: Buffer): string {
  return `document ${number} of seed ${SEED}: ${JSON.stringify(bytes.toString('latin1').slice(0, 3000))}`
}

test(`${DOCUMENTS} mutated documents are read or refused, and memory does not grow`, async () => {
  const db = openDatabase(loadedFolder())
  const { documents } = createServices({ db })
  const random = seeded(SEED)
  const findings: string[] = []
  const outcomes = { read: 0, refused: 0 }
  let [slowest, warm] = [0, 0]
  for (let number = 1; number <= DOCUMENTS && findings.length < MAX_FINDINGS; number++) {
    const { content: original, type } = random.pick(samples)
    const content = mutatedDocument(original, random)
    const contentType = random.chance(0.6) ? type : random.pick(types)
    const before = process.cpuUsage()
    try {
      const items = await documents.read(operator, { content, contentType, date: '2025-05-03' })
      outcomes.read++
      if (items.length > 50) findings.push(`${items.length} items: ${describeDocument(number, content)}`)
      for (const { flight, unresolved } of items) {
        if (unresolved.length > 0) continue
        const { success, error } = FlightWrite.safeParse(flight)
        if (!success) findings.push(`${error.message}: ${describeDocument(number, content)}`)
      }
    } catch (error) {
      outcomes.refused++
      const isExpected = error instanceof AppError && error.code === 'validation_failed'
      if (!isExpected) findings.push(`${(error as Error).stack}: ${describeDocument(number, content)}`)
    }
    const { user, system } = process.cpuUsage(before)
    slowest = Math.max(slowest, (user + system) / 1000)
    if (number === Math.round(WARM_UP * DOCUMENTS)) warm = memoryOf(process.pid)
  }
  const growth = memoryOf(process.pid) - warm
  measured(
    `${DOCUMENTS} mutated documents: ${outcomes.read} read, ${outcomes.refused} refused, slowest ${Math.round(slowest)} ms of CPU, ${Math.round(growth)} MB more memory`,
  )
  closeDatabase(db)
  expect(findings.join('\n')).toBe('')
  expect(slowest).toBeLessThan(MAX_DOCUMENT_MS)
  expect(growth).toBeLessThan(MAX_GROWTH_MB)
  // Both outcomes must be frequent, or the mutations no longer test what they should.
  for (const count of Object.values(outcomes)) expect(count).toBeGreaterThan(DOCUMENTS / 10)
})

test(`${REQUESTS} mutated documents never make a server fail`, async () => {
  const dataDir = loadedFolder()
  const key = ownerKey(dataDir)
  const server = await watchedServer(dataDir)
  const random = seeded(SEED + 1)
  const statuses = new Map<number, number>()
  let warm = 0
  for (let number = 1; number <= REQUESTS; number++) {
    const { content, type } = random.pick(samples)
    const body = mutatedDocument(content, random)
    const headers = { authorization: `Bearer ${key}`, ...(random.chance(0.6) && { 'content-type': type }) }
    const answer = await fetch(`${server.url}/api/v1/flights/read?date=2025-05-03`, {
      method: 'POST',
      headers,
      body: body as never,
    })
    const text = await answer.text()
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
    if (![200, 422].includes(answer.status))
      expect(`${answer.status} ${text}: ${describeDocument(number, body)}`).toBe('')
    if (number === Math.round(WARM_UP * REQUESTS)) warm = memoryOf(server.pid)
  }
  measured(`${REQUESTS} of them sent to a server: only 200 and 422`)
  expect([...statuses.keys()].sort()).toEqual([200, 422])
  expect(memoryOf(server.pid) - warm).toBeLessThan(MAX_GROWTH_MB)
})
