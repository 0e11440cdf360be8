import type { OpenAPIV3_1 } from 'openapi-types'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { SEED, seeded } from '../support/random.ts'
import { apiRequests } from './fuzzing/api-requests.ts'
import { fuzzClient, type Shot, sendRaw } from './fuzzing/exchange.ts'
import { answerJudge, surfaceOf } from './fuzzing/judge.ts'
import { otherRequests } from './fuzzing/other-requests.ts'
import { pageRequests } from './fuzzing/page-requests.ts'
import { rawRequests } from './fuzzing/raw-requests.ts'
import { fuzzWorld } from './fuzzing/world.ts'

const SLOW = process.env.PAXLOG_SLOW_TESTS === '1'
const REQUESTS = Number(process.env.PAXLOG_FUZZ_REQUESTS ?? (SLOW ? 100_000 : 5_000))
const LANES = 8
const MOST_SHOWN = 20

const shortened = (text: string, most = 1500) =>
  text.length > most ? `${text.slice(0, most)}… (${text.length})` : text

const described = ({ method, target, headers, body }: Shot) =>
  `${method} ${shortened(target)}\n${headers.map(([name, value]) => `${name}: ${shortened(value, 200)}`).join('\n')}\n\n${shortened(body?.toString() ?? '')}`

test(`N9 L5: ${REQUESTS} requests made at random (seed ${SEED}) never fail, hang or break a promise`, {
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
  const { faultsOf, rawFaults } = answerJudge(document)
  const findings: string[] = []
  /** One of each kind tells enough. */
  const known = new Set<string>()
  const counted = new Map<string, number>()
  let slowest = { ms: 0, what: '' }
  let sent = 0

  const found = (number: number, faults: string[], request: string, answer: string) => {
    if (faults.length === 0 || known.has(faults.join()) || findings.length >= MOST_SHOWN) return
    known.add(faults.join())
    findings.push(`request ${number} of seed ${SEED}: ${faults.join('; ')}\n${request}\n--> ${shortened(answer)}\n`)
  }

  /** What is left of a hundred goes to the pages. */
  const shares: (readonly [percent: number, make: () => Shot])[] = [
    [48, api],
    [10, other.legacy],
    [8, other.oauth],
    [15, other.mcp],
    [2, other.wellKnown],
    [10, anyPage],
  ]

  function nextShot(): Shot {
    let roll = random.below(100)
    for (const [percent, make] of shares) {
      if (roll < percent) return make()
      roll -= percent
    }
    return other.page()
  }

  async function lane(): Promise<void> {
    const client = fuzzClient(world.port)
    while (sent < REQUESTS && findings.length < MOST_SHOWN && world.server.child.exitCode === null) {
      const number = ++sent
      if (random.next() < 0.04) {
        const bytes = raw()
        const answer = await sendRaw(world.port, bytes)
        counted.set('raw', (counted.get('raw') ?? 0) + 1)
        const faults = typeof answer === 'string' ? [answer] : rawFaults(answer)
        found(number, faults, shortened(bytes.toString('latin1')), answer.toString('latin1'))
        continue
      }
      const shot = nextShot()
      const began = performance.now()
      const answer = await client.send(shot, world.host)
      const took = performance.now() - began
      if (took > slowest.ms) slowest = { ms: Math.round(took), what: `${shot.method} ${shortened(shot.target, 100)}` }
      const kind = `${surfaceOf(shot.target)} ${typeof answer === 'string' ? 'none' : answer.status}`
      counted.set(kind, (counted.get(kind) ?? 0) + 1)
      if (typeof answer === 'string') found(number, [answer], described(shot), '')
      else
        found(
          number,
          faultsOf(shot, answer),
          described(shot),
          `${answer.status} ${JSON.stringify(answer.headers)}\n${answer.body}`,
        )
    }
    client.close()
  }

  const began = performance.now()
  await Promise.all(Array.from({ length: LANES }, lane))
  const seconds = (performance.now() - began) / 1000
  const table = [...counted].sort(([a], [b]) => a.localeCompare(b)).map(([kind, count]) => `${kind}: ${count}`)
  process.stdout.write(
    `${sent} requests in ${seconds.toFixed(1)} s, the slowest ${slowest.ms} ms (${slowest.what}); ${table.join(', ')}\n`,
  )
  const { child, errorText } = world.server
  expect(`${findings.join('\n')}${errorText()}`).toBe('')
  expect(child.exitCode).toBe(null)
  const failures = world.server.log().filter(({ level }) => level >= 50)
  expect(failures).toEqual([])
  expect((await fetch(`${world.server.origin}/ready`)).status).toBe(200)
  // Each surface was met on both of its sides, or the requests no longer reach what they are for.
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
    expect([kind, (counted.get(kind) ?? 0) > 0]).toEqual([kind, true])
  }
})
