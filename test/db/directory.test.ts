import { chmodSync, chownSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { networkFileSystem, prepareDirectory, requireUsable } from '../../src/db/directory.ts'
import { closedDatabase, contentsOf, errorMessageOf } from '../support/database.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { cli } from '../support/process.ts'

const isRoot = process.getuid?.() === 0
const NOBODY_UID = 65534

/** A folder that other users can enter. */
function traversableFolder(): string {
  const folder = temporaryFolder()
  chmodSync(folder, 0o755)
  return folder
}

describe('DATA_DIR', () => {
  test('is created with its parents', () => {
    const dataDir = join(temporaryFolder(), 'not/yet/there')
    prepareDirectory(dataDir)
    expect(statSync(dataDir).isDirectory()).toBe(true)
  })

  test('keeps its mode if it exists', () => {
    const dataDir = traversableFolder()
    prepareDirectory(dataDir)
    expect(statSync(dataDir).mode & 0o777).toBe(0o755)
  })

  test('is rejected if it is a file', () => {
    const file = join(temporaryFolder(), 'file')
    writeFileSync(file, 'text')
    expect(errorMessageOf(() => prepareDirectory(file))).toBe(`DATA_DIR ${file} is a file, not a directory.`)
  })

  test('is rejected if it cannot be created', async () => {
    const link = join(temporaryFolder(), 'link')
    symlinkSync(join(link, '../nowhere'), link)
    for (const dataDir of [link, join(link, 'data'), '/proc/paxlog/data']) {
      // In a separate process, because an endless loop would block the test runner.
      const { code, stderr } = await cli(['user', 'list', '--data-dir', dataDir])
      expect([code, stderr]).toEqual([1, expect.stringMatching(`^DATA_DIR ${dataDir} cannot be created by uid .*\\n$`)])
    }
  })

  test('is not created by a check', () => {
    const folder = temporaryFolder()
    const dataDir = join(folder, 'missing')
    expect(errorMessageOf(() => requireUsable(dataDir))).toBe(
      `DATA_DIR ${dataDir} does not exist. "paxlog serve" creates it.`,
    )
    expect(contentsOf(folder)).toEqual({})
  })

  test.each([
    [0x6969, 'NFS'],
    [0xff534d42, 'CIFS'],
    [0xff534d42 | 0, 'CIFS'],
    [0xfe534d42, 'SMB'],
    [0x01021997, '9P'],
    [0xef53, undefined],
    [0x9123683e, undefined],
    [0x794c7630, undefined],
  ])('identifies file system type %i as %s', (type, name) => {
    expect(networkFileSystem(type)).toBe(name)
  })
})

// File modes do not restrict root, so the program runs as another user, which only root can arrange.
describe.runIf(isRoot)('K5: a DATA_DIR of another user', () => {
  const asNobody = (dataDir: string, command: string[] = ['user', 'list']) =>
    cli([...command, '--data-dir', dataDir], { uid: NOBODY_UID, cwd: '/' })

  test('fails with path, uid and the chown command', async () => {
    const dataDir = traversableFolder()
    const { code, stdout, stderr } = await asNobody(dataDir, ['serve'])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toBe(
      `${dataDir} is not writable for uid ${NOBODY_UID}. Run "chown -R ${NOBODY_UID}:${NOBODY_UID} ${dataDir}".\n`,
    )
    expect(contentsOf(dataDir)).toEqual({})
  })

  test('fails with the same advice if it cannot be created', async () => {
    const dataDir = join(traversableFolder(), 'data')
    const { code, stderr } = await asNobody(dataDir)
    expect(code).toBe(1)
    expect(stderr).toMatch(
      new RegExp(`^DATA_DIR ${dataDir} cannot be created by uid ${NOBODY_UID} .*"chown -R .*\\.\\n$`),
    )
  })

  test('is rejected if only the database file belongs to another user', async () => {
    const { dataDir, file } = closedDatabase()
    chmodSync(join(dataDir, '..'), 0o755)
    chownSync(dataDir, NOBODY_UID, NOBODY_UID)
    chmodSync(file, 0o644)
    const before = contentsOf(dataDir)
    const { code, stderr } = await asNobody(dataDir)
    expect([code, stderr]).toEqual([1, expect.stringContaining(`${file} is not writable for uid ${NOBODY_UID}`)])
    expect(contentsOf(dataDir)).toEqual(before)
  })

  test('works after the suggested chown', async () => {
    const dataDir = join(traversableFolder(), 'data')
    mkdirSync(dataDir)
    chownSync(dataDir, NOBODY_UID, NOBODY_UID)
    const { code, stderr } = await asNobody(dataDir)
    expect([code, stderr]).toEqual([0, ''])
    expect(statSync(join(dataDir, 'paxlog.db')).uid).toBe(NOBODY_UID)
  })
})
