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
    /** A folder for what the test files of one run share. */
    runFolder: string
    /** The PostgreSQL of this run, to which the name of a database is added; none where the databases are files. */
    postgres: string | undefined
  }
}

/** What `engine.ts` copies; that cannot be loaded here. */
const [TEMPLATE, LOADED] = ['paxlog_template', 'paxlog_loaded']

const root = resolve(import.meta.dirname, '../..')
let runFolder: string
let server: PostgresServer | undefined

/** Each test copies a database that is ready: to migrate takes longer than most tests. */
async function prepareServer(): Promise<string> {
  server = await startPostgres()
  const administration = postgresClient(server.url('postgres'), { name: '' })
  administration.exec(`create database ${TEMPLATE}`)
  closeDatabase(openDatabase(join(runFolder, 'template'), server.url(TEMPLATE)))
  administration.exec(`create database ${LOADED} template ${TEMPLATE}`)
  administration.close()
  execFileSync(process.execPath, [join(root, 'dist/cli.js'), 'reference', 'update'], {
    env: { PATH: process.env.PATH, DATABASE_URL: server.url(LOADED), DATA_DIR: join(runFolder, 'template') },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return server.url('').replace(/\/$/, '')
}

/** Tests that start processes start the built program, as everybody else does. */
export async function setup(project: TestProject): Promise<void> {
  execFileSync(process.execPath, ['src/build/bundle.ts', '--if-changed'], { cwd: root, stdio: 'inherit' })
  runFolder = mkdtempSync(join(tmpdir(), 'paxlog-run-'))
  project.provide('runFolder', runFolder)
  project.provide('postgres', process.env.TEST_ENGINE === 'postgres' ? await prepareServer() : undefined)
}

export async function teardown(): Promise<void> {
  await server?.stop()
  rmSync(runFolder, { recursive: true, force: true })
}
