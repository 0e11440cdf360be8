import type { OpenAPIV3_1 } from 'openapi-types'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { measured } from '../support/measured.ts'
import { SEED, seeded } from '../support/random.ts'
import { apiRequests } from './fuzzing/api-requests.ts'
import { type FuzzRequest, fuzzClient, sendRaw } from './fuzzing/exchange.ts'
import { responseChecker, surfaceOf } from './fuzzing/judge.ts'
import { otherRequests } from './fuzzing/other-requests.ts'
import { pageRequests } from './fuzzing/page-requests.ts'
import { rawRequests } from './fuzzing/raw-requests.ts'
import { fuzzWorld } from './fuzzing/world.ts'

const SLOW = process.env.PAXLOG_SLOW_TESTS === '1'
const REQUESTS = Number(process.env.PAXLOG_FUZZ_REQUESTS ?? (SLOW ? 100_000 : 5_000))
const CONCURRENCY = 8
const MAX_FINDINGS = 20

const truncate = (text: string, maxLength = 1500) =>
  text.length > maxLength ? `${text.slice(0, maxLength)}… (${text.length})` : text

const describeRequest = ({ method, target, headers, body }: FuzzRequest) =>
  `${method} ${truncate(target)}\n${headers.map(([name, value]) => `${name}: ${truncate(value, 200)}`).join('\n')}\n\n${truncate(body?.toString() ?? '')}`

test(`N9 L5: ${REQUESTS} random requests (seed ${SEED}) never cause a server error, a hang or a violation of the contract`, {
  timeout: SLOW ? 3_600_000 : 900_000,
}, async () => {
  process.stdout.write(`fuzzing with PAXLOG_TEST_SEED=${SEED}\n`)
  const world = await fuzzWorld()
  const document = parse(
    await (await fetch(`${world.server.origin}/api/v1/openapi.yaml`)).text(),
  ) as OpenAPIV3_1.Document
  const random = seeded(SEED)
  const api = apiRequests(document, world, random)
  const other = otherRequests(document, world, random)
  const anyPage = pageRequests(world, random)
  const raw = rawRequests(world, random)
  const { responseProblems, rawProblems } = responseChecker(document)
  const findings: string[] = []
  /** Only the first finding of each kind is reported. */
  const known = new Set<string>()
  const counts = new Map<string, number>()
  let slowest = { ms: 0, what: '' }
  let sent = 0

  const addFinding = (number: number, problems: string[], request: string, answer: string) => {
    if (problems.length === 0 || known.has(problems.join()) || findings.length >= MAX_FINDINGS) return
    known.add(problems.join())
    findings.push(`request ${number} of seed ${SEED}: ${problems.join('; ')}\n${request}\n--> ${truncate(answer)}\n`)
  }

  /** The remaining percentage goes to pages. */
  const shares: (readonly [percent: number, make: () => FuzzRequest])[] = [
    [48, api],
    [10, other.legacy],
    [8, other.oauth],
    [15, other.mcp],
    [2, other.wellKnown],
    [10, anyPage],
  ]

  function nextRequest(): FuzzRequest {
    let roll = random.below(100)
    for (const [percent, make] of shares) {
      if (roll < percent) return make()
      roll -= percent
    }
    return other.page()
  }

  async function sendRequests(): Promise<void> {
    const client = fuzzClient(world.port)
    while (sent < REQUESTS && findings.length < MAX_FINDINGS && world.server.child.exitCode === null) {
      const number = ++sent
      if (random.next() < 0.04) {
        const bytes = raw()
        const answer = await sendRaw(world.port, bytes)
        counts.set('raw', (counts.get('raw') ?? 0) + 1)
        const problems = typeof answer === 'string' ? [answer] : rawProblems(answer)
        addFinding(number, problems, truncate(bytes.toString('latin1')), answer.toString('latin1'))
        continue
      }
      const request = nextRequest()
      const began = performance.now()
      const answer = await client.send(request, world.host)
      const took = performance.now() - began
      if (took > slowest.ms)
        slowest = { ms: Math.round(took), what: `${request.method} ${truncate(request.target, 100)}` }
      const kind = `${surfaceOf(request.target)} ${typeof answer === 'string' ? 'none' : answer.status}`
      counts.set(kind, (counts.get(kind) ?? 0) + 1)
      if (typeof answer === 'string') addFinding(number, [answer], describeRequest(request), '')
      else
        addFinding(
          number,
          responseProblems(request, answer),
          describeRequest(request),
          `${answer.status} ${JSON.stringify(answer.headers)}\n${answer.body}`,
        )
    }
    client.close()
  }

  const began = performance.now()
  await Promise.all(Array.from({ length: CONCURRENCY }, sendRequests))
  const seconds = (performance.now() - began) / 1000
  const table = [...counts].sort(([a], [b]) => a.localeCompare(b)).map(([kind, count]) => `${kind}: ${count}`)
  process.stdout.write(`${seconds.toFixed(1)} s; slowest: ${slowest.what}; ${table.join(', ')}\n`)
  measured(`${sent} requests, slowest ${slowest.ms} ms`)
  const { child, errorText } = world.server
  expect(`${findings.join('\n')}${errorText()}`).toBe('')
  expect(child.exitCode).toBe(null)
  const failures = world.server.log().filter(({ level }) => level >= 50)
  expect(failures).toEqual([])
  expect((await fetch(`${world.server.origin}/ready`)).status).toBe(200)
  // Every surface must return successes and errors, or the requests no longer test what they should.
  for (const kind of [
    'v1 200',
    'v1 201',
    'v1 204',
    'v1 422',
    'legacy 200',
    'mcp 200',
    'oauth 201',
    'page 200',
    'page 303',
  ]) {
    expect([kind, (counts.get(kind) ?? 0) > 0]).toEqual([kind, true])
  }
})
