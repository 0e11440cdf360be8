import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { TestProject } from 'vitest/node'
import { closeDatabase, openDatabase } from '../../src/db/open.ts'
import { postgresClient } from '../../src/db/postgres/client.ts'
import { type PostgresServer, startPostgres } from './postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder for data that test files of a run share. */
    runFolder: string
    /** Base URLs of one PostgreSQL per worker; empty for SQLite. */
    postgres: string[]
  }
}

/** The names in `engine.ts`, which cannot be imported here. */
const [TEMPLATE, LOADED] = ['paxlog_template', 'paxlog_loaded']

const root = resolve(import.meta.dirname, '../..')
let runFolder = ''
let servers: PostgresServer[] = []

/**
 * Tests copy a migrated database, because migrating takes longer than most tests. Each worker has its own server, because
 * writes to any database of a server invalidate caches.
 */
async function prepareServers(count: number): Promise<string[]> {
  const first = await startPostgres()
  const administration = postgresClient(first.url('postgres'), { name: '' })
  administration.exec(`create database ${TEMPLATE}`)
  closeDatabase(openDatabase(join(runFolder, 'template'), first.url(TEMPLATE)))
  administration.exec(`create database ${LOADED} template ${TEMPLATE}`)
  administration.close()
  execFileSync(process.execPath, [join(root, 'dist/cli.js'), 'reference', 'update'], {
    env: { PATH: process.env.PATH, DATABASE_URL: first.url(LOADED), DATA_DIR: join(runFolder, 'template') },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const from = join(runFolder, 'postgres')
  await first.keepAs(from)
  servers = await Promise.all(Array.from({ length: count }, () => startPostgres({ from })))
  return servers.map(({ url }) => url('').replace(/\/$/, ''))
}

/** Builds the program, because tests that start processes use the bundle. */
export async function setup(project: TestProject): Promise<void> {
  execFileSync(process.execPath, ['src/build/bundle.ts', '--if-changed'], { cwd: root, stdio: 'inherit' })
  runFolder = mkdtempSync(join(tmpdir(), 'paxlog-run-'))
  project.provide('runFolder', runFolder)
  const workers = process.env.TEST_ENGINE === 'postgres' ? project.vitest.config.maxWorkers : 0
  project.provide('postgres', workers > 0 ? await prepareServers(workers) : [])
}

export async function teardown(): Promise<void> {
  await Promise.all(servers.map(({ stop }) => stop()))
  // Empty if the build failed.
  if (runFolder !== '') rmSync(runFolder, { recursive: true, force: true })
}
