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
import { judge } from './verdict.ts'
import { writer } from './writers.ts'

/** Who is killed in each round. */
const TURNS = ['leader', 'paxlog', 'leader', 'paxlog', 'leader'] as const
const WRITERS = 6

const silent = { onRows: () => undefined, onTable: () => undefined }

function copied(from: Db, to: Db): void {
  try {
    copyDatabase(from, to, silent)
  } finally {
    for (const db of [from, to]) closeDatabase(db)
  }
}

/** The verdict knows files, and a copy is checked row by row. */
function verdictOn(url: string, ledgers: readonly Ledger[]) {
  const dataDir = temporaryFolder()
  copied(openExisting(temporaryFolder(), url), openDatabase(dataDir))
  return judge(databasePath(dataDir), ledgers)
}

/** Whoever missed the answer to a rotation connects anew, as a person would. */
function reconnect(url: string, ledgers: readonly Ledger[]): void {
  const db = openExisting(temporaryFolder(), url)
  for (const ledger of ledgers) ledger.family = newFamily(db.$client, ledger.grantId)
  closeDatabase(db)
}

/** What a killed Paxlog has asked for last is done by PostgreSQL all the same, and must be before anybody judges. */
async function idle(url: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  const working = "from pg_stat_activity where datname = 'paxlog' and state <> 'idle' and pid <> pg_backend_pid()"
  await until('nobody works', async () => (await client.query(`select pid ${working}`)).rowCount === 0)
  await client.end()
}

/** A server that does not come back has said why. */
const untilReady = (server: ServerProcess) =>
  until('Paxlog is ready', async () => (await fetch(`${server.origin}/ready`)).ok).catch((error) => {
    throw new Error(`${error.message} ${server.errorText()} ${server.logText().slice(-2_000)}`)
  })

describe('a leader of PostgreSQL that is killed, and a Paxlog', () => {
  test.skipIf(patroniMissing)(
    `take nothing with them that was acknowledged, and leave nothing half done${patroniMissing ? ` (left out: ${patroniMissing})` : ''}`,
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
      const made = await newLedgers(WRITERS)
      const { ledgers } = made
      copied(openExisting(made.dataDir), openDatabase(temporaryFolder(), url))
      const folders = [temporaryFolder(), temporaryFolder()]
      const env = { BASE_URL, ADDRESS_HEADER: 'x-forwarded-for', DATABASE_URL: url }
      const begin = (dataDir: string) => serve({ dataDir, env })
      const servers = await Promise.all(folders.map(begin))
      const random = seeded(SEED)
      const outages: number[] = []
      let unknown = 0

      for (const [round, turn] of TURNS.entries()) {
        let isOver = false
        const working = ledgers.map((ledger, index) =>
          writer(made, ledger, seeded(random.between(0, 2 ** 31)), servers[index % 2]!.port, { mayBeAway: true }).work(
            () => isOver,
          ),
        )
        const all = Promise.all(working)
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
          await idle(cluster.urlOf('paxlog', await cluster.leader()))
          servers[victim] = await begin(folders[victim]!)
        }
        unknown += ledgers.filter((ledger) => ledger.unanswered).length
        const { complaints, disconnected } = verdictOn(url, ledgers)
        expect([`seed ${SEED}, round ${round}, ${turn}`, complaints]).toEqual([
          `seed ${SEED}, round ${round}, ${turn}`,
          [],
        ])
        reconnect(url, disconnected)
        await cluster.whole()
      }
      const acknowledged = ledgers.reduce((sum, ledger) => sum + ledger.acknowledged, 0)
      expect(acknowledged).toBeGreaterThan(WRITERS * TURNS.length)
      report(
        `Patroni: ${outages.length} leaders and ${TURNS.length - outages.length} Paxlogs killed, ${acknowledged} acknowledged writes, ` +
          `0 lost, 0 half; ${unknown} requests without an answer; away for ${(percentile(outages, 0.5) / 1000).toFixed(1)} s (median); seed ${SEED}`,
      )
    },
  )
})
