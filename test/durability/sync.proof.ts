import { setTimeout as wait } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { type Copy, documentedFollower } from '../support/follower.ts'
import { type ServerProcess, serve } from '../support/process.ts'
import { type Random, SEED, seeded } from '../support/random.ts'
import { report } from '../support/travel.ts'
import { BASE_URL, type Ledger, type Ledgers, newLedgers } from './ledger.ts'
import { connection } from './writers.ts'

const slow = process.env.PAXLOG_SLOW_TESTS
const [KILLS, CHANGES] = slow ? [60, 100_000] : [8, 5_000]
/** Slow runs have longer intervals between kills and no timeout. */
const [MAX_INTERVAL_MS, OPTIONS] = slow ? [10_000, { timeout: 0 }] : [4_000, {}]

const env = { BASE_URL }
const JSON_TYPE = 'application/json'

type Connection = ReturnType<typeof connection>

/** Repeats the work until the connection breaks. */
async function untilKilled(work: () => Promise<unknown>): Promise<void> {
  try {
    for (;;) await work()
  } catch (cause) {
    if (
      !/ConnectionLost|fetch failed|terminated/.test(`${(cause as Error).constructor.name} ${(cause as Error).message}`)
    ) {
      throw cause
    }
  }
}

/** The server may close an idle keep-alive connection, so the client must retry. */
async function withRetry<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (cause) {
      if (tries === 5 || (cause as Error).message !== 'fetch failed') throw cause
    }
  }
}

async function kill({ child, exited }: ServerProcess): Promise<void> {
  child.kill('SIGKILL')
  expect(await exited).toEqual({ code: null, signal: 'SIGKILL' })
}

const day = (random: Random) => `20${random.between(10, 25)}-0${random.between(1, 9)}-1${random.below(10)}`

describe('21.3: a client that retries a create after a missing response', () => {
  test('creates one flight per key, regardless of kills', OPTIONS, async () => {
    const random = seeded(SEED)
    const setup = await newLedgers(6)
    const answers = new Map<string, { first: string; body: string }>()
    const pending = new Map<Ledger, { key: string; body: string }>()
    let [requests, replayed, kills] = [0, 0, 0]

    async function create(ledger: Ledger, { send }: Connection): Promise<void> {
      const waiting = pending.get(ledger)
      const key = waiting?.key ?? `${ledger.name}-${++requests}`
      const flight = {
        fromId: setup.fromId,
        toId: setup.toId,
        date: day(random),
        flightNumber: key.slice(-8),
        note: key,
      }
      const body = waiting?.body ?? JSON.stringify(flight)
      pending.set(ledger, { key, body })
      const { status, text } = await send('POST', '/api/v1/flights', JSON_TYPE, body, { 'idempotency-key': key })
      expect([status, text]).toEqual([201, expect.any(String)])
      if (waiting) replayed++
      pending.delete(ledger)
      answers.set(key, { first: text, body })
    }

    while (kills < KILLS) {
      const server = await serve({ dataDir: setup.dataDir, env })
      const creating = setup.ledgers.map(async (ledger) => {
        const client = connection(server.port, ledger.key)
        await untilKilled(() => create(ledger, client))
        client.close()
      })
      await wait(random.between(30, 600))
      await kill(server)
      kills++
      await Promise.all(creating)
    }

    const server = await serve({ dataDir: setup.dataDir, env })
    for (const ledger of setup.ledgers) {
      const client = connection(server.port, ledger.key)
      if (pending.has(ledger)) await create(ledger, client)
      for (const [key, { first, body }] of answers) {
        if (!key.startsWith(`${ledger.name}-`)) continue
        const again = await client.send('POST', '/api/v1/flights', JSON_TYPE, body, { 'idempotency-key': key })
        expect([again.status, again.text]).toEqual([201, first])
      }
      client.close()
    }
    await kill(server)
    const db = new Database(setup.file)
    const notes = db.prepare('select note from flights order by note').pluck().all()
    db.close()
    expect(notes).toEqual([...answers.keys()].sort())
    expect(replayed).toBeGreaterThan(0)
    report(`${kills} kills, ${answers.size} flights without duplicates, ${replayed} of them retried after a kill`)
  })
})

/** A client with a copy in memory and a saved copy, which it returns to after a restart. */
function createFollower({ key }: Ledger) {
  let copy: Copy = { flights: new Map(), cursor: undefined }
  let saved = copy
  return {
    key,
    copy: () => copy,
    save() {
      saved = { flights: new Map(copy.flights), cursor: copy.cursor }
    },
    restart() {
      copy = { flights: new Map(saved.flights), cursor: saved.cursor }
    },
  }
}

/** Sends one random write. Writes that change many flights are less frequent. */
async function change({ send }: Connection, setup: Ledgers, { userId }: Ledger, random: Random): Promise<void> {
  const listFlights = async () =>
    JSON.parse((await send('GET', '/api/v1/flights?limit=20')).text).data as { id: number }[]
  const flight = () => ({ fromId: setup.fromId, toId: setup.toId, date: day(random), note: `n${random.below(1e6)}` })
  const dice = random.below(100)
  if (dice < 30) {
    await send('POST', '/api/v1/flights', JSON_TYPE, JSON.stringify(flight()))
  } else if (dice < 50) {
    const [one] = await listFlights()
    if (one) await send('PUT', `/api/v1/flights/${one.id}`, JSON_TYPE, JSON.stringify(flight()))
  } else if (dice < 80) {
    for (const { id } of (await listFlights()).slice(0, 3)) await send('DELETE', `/api/v1/flights/${id}`)
  } else if (dice < 84) {
    const { data } = JSON.parse((await send('GET', '/api/v1/flights/deleted?limit=2')).text) as {
      data: { id: number }[]
    }
    for (const { id } of data) {
      const { status, text } = await send('POST', `/api/v1/flights/deleted/${id}/restore`)
      expect([status, text]).toEqual([200, text])
    }
  } else if (dice < 90) {
    const rows = Array.from({ length: 250 }, (_, row) => `${day(random)},ZRH,LIS,LX${row + 1},,1`)
    const csv = ['date,from,to,flight_number,plane,from_oid', ...rows].join('\n')
    const { status } = await send('POST', '/api/v1/flights/import', 'text/csv', csv)
    expect(status).toBe(200)
  } else {
    // A new name changes every flight of the user.
    const displayName = `Name ${random.below(1e6)}`
    await send('PUT', `/api/v1/users/${userId}`, JSON_TYPE, JSON.stringify({ displayName }))
  }
}

describe('21.5: a follower during writes and kills', () => {
  test('has the same flights as the list', OPTIONS, async () => {
    const { follow } = await documentedFollower()
    const random = seeded(SEED)
    const setup = await newLedgers(3)
    const followers = setup.ledgers.map(createFollower)
    const changes = () => {
      const db = new Database(setup.file)
      const number = db.prepare('select max(seq) from change_positions').pluck().get() as number | null
      db.close()
      return number ?? 0
    }

    async function compare(server: ServerProcess): Promise<void> {
      for (const [index, { key, copy: current, save }] of followers.entries()) {
        const copy = await withRetry(() => follow(current(), { url: server.origin, key }))
        save()
        const client = connection(server.port, setup.ledgers[index]!.key)
        const listed = new Map<number, unknown>()
        for (let cursor: string | null = ''; cursor !== null; ) {
          const page = await client.send('GET', `/api/v1/flights?limit=100${cursor && `&cursor=${cursor}`}`)
          const { data, page: next } = JSON.parse(page.text)
          for (const flight of data) listed.set(flight.id, flight)
          cursor = next.nextCursor
        }
        client.close()
        expect([...copy.flights.keys()].sort((a, b) => a - b)).toEqual([...listed.keys()].sort((a, b) => a - b))
        for (const [id, flight] of listed) expect(copy.flights.get(id)).toEqual(flight)
      }
    }

    let kills = 0
    for (; kills < KILLS || changes() < CHANGES; kills++) {
      const server = await serve({ dataDir: setup.dataDir, env })
      if (kills % 5 === 0) await compare(server)
      const writing = setup.ledgers.map(async (ledger) => {
        const client = connection(server.port, ledger.key)
        await untilKilled(() => change(client, setup, ledger, random))
        client.close()
      })
      const following = followers.map(({ key, copy }) => untilKilled(() => follow(copy(), { url: server.origin, key })))
      await wait(random.between(500, MAX_INTERVAL_MS))
      await kill(server)
      await Promise.all([...writing, ...following])
      // Some clients restart with the server and continue from their saved copy.
      for (const each of followers) random.chance(0.5) ? each.restart() : each.save()
    }
    const server = await serve({ dataDir: setup.dataDir, env })
    await compare(server)
    await kill(server)
    report(`${changes()} changes and ${kills} kills: three followers have the same flights as the list`)
  })
})
