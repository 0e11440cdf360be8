import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { backupTo } from '../../src/db/maintenance/backup.ts'
import { closeDatabase, openDatabase } from '../../src/db/open.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { dist, run } from '../support/process.ts'

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
const modesIn = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map((name) => [name, modeOf(join(folder, name))]))

/** Runs synchronous work, because the umask applies to the whole process. */
function underUmask(umask: number, work: () => void): void {
  const before = process.umask(umask)
  try {
    work()
  } finally {
    process.umask(before)
  }
}

for (const umask of [0, 0o022, 0o077]) {
  test(`with umask ${umask.toString(8)} files in a shared directory are private`, () => {
    const folder = join(temporaryFolder(), 'open')
    mkdirSync(folder)
    chmodSync(folder, 0o755)
    underUmask(umask, () => {
      const db = openDatabase(folder)
      db.$client.exec('create table t (a); insert into t values (1)')
      expect(modesIn(folder)).toEqual({ 'paxlog.db': '600', 'paxlog.db-wal': '600', 'paxlog.db-shm': '600' })
      backupTo(db, join(folder, 'copy.db'))
      closeDatabase(db)
      const created = join(folder, 'a', 'b')
      closeDatabase(openDatabase(created))
      expect([modeOf(created), modeOf(join(created, 'paxlog.db'))]).toEqual(['700', '600'])
    })
    expect(modeOf(join(folder, 'copy.db'))).toBe('600')
  })
}

test('a start restricts files of an earlier release and nothing else', () => {
  const folder = temporaryFolder()
  closeDatabase(openDatabase(folder))
  const backup = join(folder, 'paxlog-before-2025-01-01T00-00-00-000Z-1.db')
  const other = join(folder, 'notes.txt')
  for (const file of [backup, other]) writeFileSync(file, 'x')
  for (const file of [join(folder, 'paxlog.db'), backup, other]) chmodSync(file, 0o644)
  const db = openDatabase(folder)
  expect(modesIn(folder)).toMatchObject({
    'paxlog.db': '600',
    'paxlog-before-2025-01-01T00-00-00-000Z-1.db': '600',
    'notes.txt': '644',
  })
  closeDatabase(db)
})

test('a rejected file of another program keeps its mode', () => {
  const folder = temporaryFolder()
  const file = join(folder, 'paxlog.db')
  writeFileSync(file, 'the database of somebody else')
  chmodSync(file, 0o644)
  expect(() => openDatabase(folder)).toThrow(/It was not changed/)
  expect(modesIn(folder)).toEqual({ 'paxlog.db': '644' })
})

test('an export is private even if it replaces a readable file', async () => {
  const folder = temporaryFolder()
  const file = join(folder, 'out.json')
  for (const path of [file, `${file}.partial`]) {
    writeFileSync(path, 'old')
    chmodSync(path, 0o644)
  }
  const { code, stderr } = await run([dist('cli.js'), 'export', file, '--all'], {
    env: { DATA_DIR: join(folder, 'data') },
  })
  expect([code, stderr]).toEqual([0, ''])
  expect([modeOf(file), existsSync(`${file}.partial`)]).toEqual(['600', false])
})
