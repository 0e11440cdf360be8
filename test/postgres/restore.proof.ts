import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createDocumentedDatabase } from '../support/hosting-guide.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { type PostgresServer, runProgram, serverFolder, startPostgres } from '../support/postgres.ts'
import { cli, objects, type ServerProcess, serve } from '../support/process.ts'
import { fillDatabase } from '../support/small-instance.ts'
import { api } from '../support/two-servers.ts'

type Server = Pick<PostgresServer, 'url' | 'port'>

async function startServerWithRole(settings: Record<string, string> = {}): Promise<Server> {
  const postgres = await startPostgres({ superuser: 'postgres', settings })
  onTestFinished(() => postgres.stop())
  await createDocumentedDatabase(postgres)
  return postgres
}

async function administrate({ port }: Server, sql: string): Promise<unknown[][]> {
  const client = new pg.Client(`postgres://postgres@127.0.0.1:${port}/postgres`)
  await client.connect()
  const { rows } = await client.query({ text: sql, rowMode: 'array' })
  await client.end()
  return rows
}

const serveFrom = (url: string) => serve({ dataDir: temporaryFolder(), env: { DATABASE_URL: url } })

async function stop({ child, exited }: ServerProcess): Promise<void> {
  child.kill('SIGTERM')
  await exited
}

/** The doctor accepts everything but the settings of a test server. */
async function expectHealthy(url: string): Promise<void> {
  const finished = await cli(['doctor'], { env: { DATABASE_URL: url, DATA_DIR: temporaryFolder() } })
  const failed = objects(finished).filter(({ check, ok }) => !ok && check !== 'durability')
  expect(failed).toEqual([])
}

const create = async (server: ServerProcess, key: string, flight: object): Promise<number> => {
  const { status, text, body } = await api(server, key, 'POST', '/flights', flight)
  if (status !== 201) throw new Error(text)
  return body.data.id
}

async function flightIds(server: ServerProcess, key: string): Promise<number[]> {
  const ids: number[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await api(server, key, 'GET', `/flights?limit=100${cursor && `&cursor=${cursor}`}`)
    ids.push(...body.data.map(({ id }: { id: number }) => id))
    cursor = body.page.nextCursor
  }
  return ids.sort((a, b) => a - b)
}

/** Reads the feed to its end and returns the cursor. */
async function follow(server: ServerProcess, key: string, cursor?: string): Promise<string> {
  const after = cursor === undefined ? '' : `&cursor=${cursor}`
  const { body } = await api(server, key, 'GET', `/flights/changes?limit=500${after}`)
  return body.page.more ? follow(server, key, body.page.nextCursor) : body.page.nextCursor
}

/** A cursor from after the backup gets a conflict once there are new writes, and one from before remains valid. */
async function expectFeedReset(server: ServerProcess, key: string, flight: object, before: string, after: string) {
  await create(server, key, flight)
  const changes = (cursor: string) => api(server, key, 'GET', `/flights/changes?cursor=${cursor}`)
  expect((await changes(before)).status).toBe(200)
  const reset = await changes(after)
  expect([reset.status, reset.body.error?.code]).toEqual([409, 'conflict'])
  // Clients start again with the whole log.
  expect((await api(server, key, 'GET', '/flights/changes')).status).toBe(200)
}

describe('pg_dump', () => {
  test('during writes restores into the same and into an empty database', async () => {
    const postgres = await startServerWithRole()
    const url = postgres.url('paxlog')
    const { key, flight } = await fillDatabase(url)
    let server = await serveFrom(url)
    const dumped = await Promise.all(Array.from({ length: 20 }, () => create(server, key, flight)))
    const before = await follow(server, key)

    const folder = serverFolder()
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'paxlog.dump')
    let isOver = false
    const during: number[] = []
    const writing = (async () => {
      while (!isOver) during.push(await create(server, key, flight))
    })()
    await runProgram('pg_dump', ['--format=custom', '--no-unlogged-table-data', `--file=${file}`, url])
    isOver = true
    await writing
    const after = await follow(server, key)
    await stop(server)

    const expectRestored = async (restored: string) => {
      await expectHealthy(restored)
      server = await serveFrom(restored)
      const found = await flightIds(server, key)
      // Writes before the dump, and the first of those during the dump.
      const first = during.slice(0, found.length - dumped.length)
      expect(found).toEqual([...dumped, ...first].sort((a, b) => a - b))
      await expectFeedReset(server, key, flight, before, after)
      await stop(server)
    }
    await runProgram('pg_restore', ['--clean', '--if-exists', '--single-transaction', `--dbname=${url}`, file])
    await expectRestored(url)

    await administrate(postgres, "create database other owner paxlog encoding 'UTF8' template template0")
    await runProgram('pg_restore', ['--no-owner', '--single-transaction', `--dbname=${postgres.url('other')}`, file])
    await expectRestored(postgres.url('other'))
  })
})

describe('point-in-time recovery', () => {
  test('restores exactly the writes before a point between two writes', async () => {
    const folder = serverFolder()
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const archive = `test ! -f ${folder}/%f && cp %p ${folder}/%f`
    const postgres = await startServerWithRole({
      wal_level: 'replica',
      archive_mode: 'on',
      archive_command: `'${archive}'`,
      synchronous_commit: 'on',
    })
    const url = postgres.url('paxlog')
    const { key, flight } = await fillDatabase(url)
    const server = await serveFrom(url)
    const kept = [await create(server, key, flight)]

    const base = join(folder, 'base')
    const connection = ['-h', '127.0.0.1', '-p', String(postgres.port), '-U', 'postgres']
    await runProgram('pg_basebackup', [...connection, '--pgdata', base, '--checkpoint=fast', '--no-sync'])
    for (let count = 0; count < 20; count++) kept.push(await create(server, key, flight))
    const before = await follow(server, key)
    await wait(50)
    const [[time]] = (await administrate(postgres, 'select clock_timestamp()::text')) as [[string]]
    await wait(50)
    for (let count = 0; count < 20; count++) await create(server, key, flight)
    const after = await follow(server, key)
    await stop(server)
    const [[segment]] = (await administrate(postgres, 'select pg_walfile_name(pg_switch_wal())')) as [[string]]
    await expect.poll(() => existsSync(join(folder, segment)), { timeout: 30_000 }).toBe(true)

    const recovered = await startPostgres({
      from: base,
      files: { 'recovery.signal': '' },
      settings: {
        restore_command: `'cp ${folder}/%f %p'`,
        recovery_target_time: `'${time}'`,
        recovery_target_action: "'promote'",
      },
    })
    onTestFinished(() => recovered.stop())
    await expectHealthy(recovered.url('paxlog'))
    const again = await serveFrom(recovered.url('paxlog'))
    expect(await flightIds(again, key)).toEqual(kept)
    await expectFeedReset(again, key, flight, before, after)
  })
})
