import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { databasePath } from '../../src/db/directory.ts'
import { copyDatabase } from '../../src/db/maintenance/copy.ts'
import { closeDatabase, type Db, openDatabase, openExisting } from '../../src/db/open.ts'
import { patroniMissing, startPatroni, until } from '../support/patroni.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { type ServerProcess, serve } from '../support/process.ts'
import { SEED, seeded } from '../support/random.ts'
import { percentile, report } from '../support/travel.ts'
import { BASE_URL, type Ledger, newFamily, newLedgers } from './ledger.ts'
import { compareWithLedgers } from './verdict.ts'
import { writer } from './writers.ts'

/** The process that is killed in each round. */
const TURNS = ['leader', 'paxlog', 'leader', 'paxlog', 'leader'] as const
const WRITERS = 6

const noProgress = { onRows: () => undefined, onTable: () => undefined }

function copyAndClose(from: Db, to: Db): void {
  try {
    copyDatabase(from, to, noProgress)
  } finally {
    for (const db of [from, to]) closeDatabase(db)
  }
}

/** Copies the data to a file, because the comparison works on SQLite. */
function compareCopy(url: string, ledgers: readonly Ledger[]) {
  const dataDir = temporaryFolder()
  copyAndClose(openExisting(temporaryFolder(), url), openDatabase(dataDir))
  return compareWithLedgers(databasePath(dataDir), ledgers)
}

/** Issues new tokens to clients that missed the response to a rotation. */
function reconnect(url: string, ledgers: readonly Ledger[]): void {
  const db = openExisting(temporaryFolder(), url)
  for (const ledger of ledgers) ledger.family = newFamily(db.$client, ledger.grantId)
  closeDatabase(db)
}

/** PostgreSQL still executes the last statements of a killed process, so wait for them. */
async function waitUntilIdle(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  const activity = "from pg_stat_activity where datname = 'paxlog' and state <> 'idle' and pid <> pg_backend_pid()"
  await until('PostgreSQL is idle', async () => (await client.query(`select pid ${activity}`)).rowCount === 0)
  await client.end()
}

/** Adds the log of the server to a timeout error. */
const untilReady = (server: ServerProcess) =>
  until('Paxlog is ready', async () => (await fetch(`${server.origin}/ready`)).ok).catch((error) => {
    throw new Error(`${error.message} ${server.errorText()} ${server.logText().slice(-2_000)}`)
  })

describe('killing a PostgreSQL leader or a Paxlog server', () => {
  test.skipIf(patroniMissing)(
    `loses no acknowledged write and leaves no partial write${patroniMissing ? ` (skipped: ${patroniMissing})` : ''}`,
    {
      timeout: 900_000,
      retry: 0,
    },
    async () => {
      const cluster = await startPatroni()
      const admin = new pg.Client(cluster.urlOf('postgres', await cluster.leader()))
      await admin.connect()
      await admin.query('create database paxlog')
      await admin.end()
      const url = cluster.urlOf('paxlog')
      const setup = await newLedgers(WRITERS)
      const { ledgers } = setup
      copyAndClose(openExisting(setup.dataDir), openDatabase(temporaryFolder(), url))
      const folders = [temporaryFolder(), temporaryFolder()]
      const env = { BASE_URL, ADDRESS_HEADER: 'x-forwarded-for', DATABASE_URL: url }
      const startServer = (dataDir: string) => serve({ dataDir, env })
      const servers = await Promise.all(folders.map(startServer))
      const random = seeded(SEED)
      const outages: number[] = []
      let unanswered = 0

      for (const [round, turn] of TURNS.entries()) {
        let isOver = false
        const writing = ledgers.map((ledger, index) =>
          writer(setup, ledger, seeded(random.between(0, 2 ** 31)), servers[index % 2]!.port, {
            mayBeUnreachable: true,
          }).work(() => isOver),
        )
        const all = Promise.all(writing)
        await Promise.race([wait(random.between(4_000, 7_000)), all])
        if (turn === 'leader') {
          const killed = await cluster.leader()
          const began = performance.now()
          cluster.killMember(killed)
          await all
          await cluster.leader()
          await Promise.all(servers.map(untilReady))
          outages.push(performance.now() - began)
          cluster.startMember(killed)
        } else {
          const victim = Math.floor(round / 2) % 2
          servers[victim]!.child.kill('SIGKILL')
          await servers[victim]!.exited
          await wait(500)
          isOver = true
          await all
          await waitUntilIdle(cluster.urlOf('paxlog', await cluster.leader()))
          servers[victim] = await startServer(folders[victim]!)
        }
        unanswered += ledgers.filter((ledger) => ledger.unanswered).length
        const { problems, disconnected } = compareCopy(url, ledgers)
        expect([`seed ${SEED}, round ${round}, ${turn}`, problems]).toEqual([
          `seed ${SEED}, round ${round}, ${turn}`,
          [],
        ])
        reconnect(url, disconnected)
        await cluster.untilReplicated()
      }
      const acknowledged = ledgers.reduce((sum, ledger) => sum + ledger.acknowledged, 0)
      expect(acknowledged).toBeGreaterThan(WRITERS * TURNS.length)
      report(
        `Patroni: ${outages.length} leaders and ${TURNS.length - outages.length} Paxlog servers killed, ${acknowledged} acknowledged writes, ` +
          `0 lost, 0 partial; ${unanswered} requests without a response; outage ${(percentile(outages, 0.5) / 1000).toFixed(1)} s (median); seed ${SEED}`,
      )
    },
  )
})
