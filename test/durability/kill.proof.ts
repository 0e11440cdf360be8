import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { measured } from '../support/measured.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { type ServerProcess, serve } from '../support/process.ts'
import { type Random, SEED, seeded } from '../support/random.ts'
import { percentile, report } from '../support/travel.ts'
import { BASE_URL, type Content, type Ledger, type Ledgers, newFamily, newLedgers } from './ledger.ts'
import { compareWithLedgers } from './verdict.ts'
import { connection, refresh, writer } from './writers.ts'

const slow = process.env.PAXLOG_SLOW_TESTS
const [KILLS, WRITES] = slow ? [1_000, 100_000] : [60, 10_000]
const WRITERS = 8

const env = { BASE_URL, ADDRESS_HEADER: 'x-forwarded-for' }

/** Issues new tokens to clients that missed the response to a rotation. */
function reconnect(file: string, ledgers: readonly Ledger[]): void {
  const client = new Database(file)
  for (const ledger of ledgers) ledger.family = newFamily(client, ledger.grantId)
  client.close()
}

/** Reads one random flight from the restarted server. */
async function readBack(port: number, { key, flights }: Ledger, random: Random): Promise<void> {
  const known = [...flights].filter(([, { id }]) => id !== undefined)
  if (known.length === 0) return
  const [tag, { id, content }] = random.pick(known)
  const { send, close } = connection(port, key)
  const flight = JSON.parse((await send('GET', `/api/v1/flights/${id}`)).text).data
  const track = JSON.parse((await send('GET', `/api/v1/flights/${id}/track`)).text).data
  close()
  expect([flight.flightNumber, flight.date, flight.note]).toEqual([tag, content.date, content.note])
  expect(flight.passengers).toHaveLength(content.passengers.length)
  expect(track?.coordinates ?? null).toEqual(content.track)
}

/** A token that was rotated before the kill is invalid after it, and its use revokes the family. */
async function replaySpent(port: number, { family }: Ledger): Promise<void> {
  const client = connection(port)
  const answers = [await refresh(client, family.spent.at(-1)!), await refresh(client, family.token)]
  client.close()
  expect(answers.map(({ status, text }) => [status, JSON.parse(text).error])).toEqual([
    [400, 'invalid_grant'],
    [400, 'invalid_grant'],
  ])
}

/**
 * Every eighth delay is long enough for a checkpoint during writes. So are additional ones on machines that are too slow
 * for enough writes.
 */
const killDelay = (kills: number, random: Random) =>
  kills % 8 === 7 || kills >= KILLS ? random.between(1_000, 2_500) : random.between(10, 500)

async function writeUntilKilled(setup: Ledgers, server: ServerProcess, random: Random, delay: number): Promise<void> {
  const writing = setup.ledgers.map((ledger) =>
    writer(setup, ledger, seeded(random.between(0, 2 ** 31)), server.port).work(() => false),
  )
  const all = Promise.all(writing)
  await Promise.race([wait(delay), all])
  server.child.kill('SIGKILL')
  expect(await server.exited).toEqual({ code: null, signal: 'SIGKILL' })
  await all
}

describe('K1: a server that is killed during writes', () => {
  test('loses no acknowledged write and leaves no partial write', {
    timeout: slow ? 3 * 3600_000 : 1_200_000,
  }, async () => {
    const random = seeded(SEED)
    const setup = await newLedgers(WRITERS)
    const { file, ledgers, dataDir } = setup
    const acknowledged = () => ledgers.reduce((sum, ledger) => sum + ledger.acknowledged, 0)
    const began = performance.now()
    const starts: number[] = []
    let [kills, replayed, unanswered] = [0, 0, 0]
    for (;;) {
      const starting = performance.now()
      const server = await serve({ dataDir, env })
      starts.push(performance.now() - starting)
      unanswered += ledgers.filter((ledger) => ledger.unanswered).length
      const { problems, disconnected } = compareWithLedgers(file, ledgers)
      expect([`seed ${SEED}, kill ${kills}`, problems]).toEqual([`seed ${SEED}, kill ${kills}`, []])
      const [reader, replayer] = [random.pick(ledgers), random.pick(ledgers)]
      await readBack(server.port, reader, random)
      if (kills % 10 === 9 && replayer.family.spent.length > 0 && !disconnected.includes(replayer)) {
        await replaySpent(server.port, replayer)
        disconnected.push(replayer)
        replayed++
      }
      if (disconnected.length > 0) reconnect(file, disconnected)
      if (kills >= KILLS && acknowledged() >= WRITES) break
      await writeUntilKilled(setup, server, random, killDelay(kills, random))
      kills++
    }
    const took = (performance.now() - began) / 1000
    expect(replayed).toBeGreaterThan(0)
    report(`${unanswered} requests without a response; ${took.toFixed(1)} s; seed ${SEED}`)
    measured(
      `${kills} kills, ${acknowledged()} acknowledged writes, 0 lost, 0 partial; a start after a kill took ` +
        `${Math.round(percentile(starts, 0.5))} ms (median), ${Math.round(Math.max(...starts))} ms (maximum)`,
    )
  })
})

/** Damage to a copy of a valid database and the expected problem. */
const damages: [what: string, sql: string, problem: RegExp][] = [
  ['a lost flight', 'delete from flights where id = (select max(id) from flights)', / is lost$/],
  ['a lost update', "update flights set note = 'as before' where id = (select max(id) from flights)", / instead of /],
  [
    'a lost track',
    'delete from flight_tracks where flight_id = (select max(flight_id) from flight_tracks)',
    /"track":null/,
  ],
  [
    'a track with other points',
    'update flight_tracks set points = (select points from flight_tracks order by flight_id limit 1)',
    / instead of /,
  ],
  ['a lost value of a flight', 'delete from flight_values', /"mood":null/],
  ['a lost value of a passenger', 'delete from passenger_values', / instead of /],
  ['a lost guest', 'delete from passengers where guest_name is not null', / instead of /],
  [
    'a flight without passengers',
    'delete from passengers where flight_id = (select max(id) from flights)',
    /^1 flights without a passenger$/,
  ],
  [
    'a passenger without a flight',
    'delete from flights where id = (select max(flight_id) from passengers)',
    /^\d+ passengers without a flight$/,
  ],
  [
    'a lost deleted flight',
    'delete from deleted_flights where seq = (select max(seq) from deleted_flights)',
    / cannot be restored$/,
  ],
  [
    'a deleted flight with another note',
    'update deleted_flights set content = replace(content, \'"note":"\', \'"note":"not \')',
    /"note":"not .* instead of /,
  ],
  ['a lost track of a deleted flight', 'delete from deleted_flight_tracks', /"track":null.* instead of /],
  [
    'a flight that exists and is deleted',
    `update deleted_flights set flight_id = (select max(id) from flights)
       where seq = (select max(seq) from deleted_flights)`,
    /^1 deleted flights that exist$/,
  ],
  ['a track without a deleted flight', 'delete from deleted_flights', /^\d+ deleted tracks without a deleted flight$/],
  ['a lost trip', 'delete from trips where id = (select max(id) from trips)', /: the trip \d+ is lost/],
  [
    'a trip without its flights',
    'update passengers set trip_id = null where trip_id is not null',
    /"trip":null.* instead of .*"trip":"trip /,
  ],
  [
    'a flight in a trip of another user',
    "update trips set user_id = 'id-of-writer1' where user_id = 'id-of-writer2'",
    /^\d+ flights in a trip of another user$/,
  ],
  [
    'an unknown flight',
    `insert into flights (date, date_precision, flight_number, note, from_id, to_id, completed_from, created_at, updated_at)
       values ('2020-01-01', 'day', 'writer1xghost', '', 1, 1, 0, '', '')`,
    /^writer1xghost is unexpected$/,
  ],
  [
    'a new token next to an unspent old one',
    'update oauth_refresh_tokens set used_at = null',
    /^2 families without exactly one unspent token$/,
  ],
  [
    'a lost rotation',
    'delete from oauth_refresh_tokens where used_at is null; update oauth_refresh_tokens set used_at = null where rowid = (select max(rowid) from oauth_refresh_tokens)',
    /: its token is missing$/,
  ],
  ['a token without its family', 'delete from oauth_families where id = 1', /^\d+ refresh tokens without a family$/],
  ['a rotation without an access token', 'delete from oauth_access_tokens', /^2 families without an access token/],
  ['a revoked family', 'update oauth_families set revoked_at = 1', /: its family is gone or revoked$/],
]

describe('compareWithLedgers', () => {
  test('detects every kind of lost or partial write', async () => {
    const setup = await newLedgers(2)
    const { child, port, exited } = await serve({ dataDir: setup.dataDir, env })
    for (const [index, ledger] of setup.ledgers.entries()) {
      const { write, close } = writer(setup, ledger, seeded(7 + index), port)
      for (let count = 0; count < 400; count++) await write()
      close()
    }
    child.kill('SIGTERM')
    await exited
    expect(compareWithLedgers(setup.file, setup.ledgers)).toEqual({ problems: [], disconnected: [] })

    const problemsAfter = (sql: string, ledgers = structuredClone(setup.ledgers)) => {
      const file = join(temporaryFolder(), 'damaged.db')
      copyFileSync(setup.file, file)
      const client = new Database(file)
      client.pragma('foreign_keys = off')
      client.exec(sql)
      client.close()
      return compareWithLedgers(file, ledgers).problems
    }
    for (const [what, sql, problem] of damages) {
      const problems = problemsAfter(sql)
      expect([what, problems.filter((text) => problem.test(text)).length > 0, problems]).toEqual([what, true, problems])
    }
    // If only two of three rows of an unanswered import are saved, it is a partial write.
    const ledgers = structuredClone(setup.ledgers)
    const rows = [...ledgers[0]!.flights].slice(0, 3).map(([tag, { content }]) => [tag, content] as [string, Content])
    for (const [tag] of rows) ledgers[0]!.flights.delete(tag)
    ledgers[0]!.unanswered = { kind: 'import', rows }
    expect(problemsAfter('', structuredClone(ledgers))).toEqual([])
    expect(problemsAfter(`delete from flights where flight_number = '${rows[1]![0]}'`, ledgers)).toContain(
      'writer1: partial write, 2 of 3 rows',
    )
  })
})
