import { describe, expect, test } from 'vitest'
import { type DataPart, dataVersion, type WrittenPart } from '../../src/db/version.ts'
import { write } from '../../src/db/write.ts'
import { openedDatabase } from '../support/database.ts'
import { otherConnection } from '../support/other-connection.ts'
import { temporaryFolder } from '../support/paxlog.ts'

const parts = ['flights', 'accounts', 'credentials', 'reference', 'everything'] as const
const ALL_BUT_REFERENCE: DataPart[] = ['flights', 'accounts', 'credentials', 'everything']

function opened() {
  const folder = temporaryFolder()
  const db = openedDatabase(folder)
  const other = otherConnection(folder)
  const versions = dataVersion(db)
  let count = 0
  const insert = (client = db.$client) =>
    client.prepare('insert into settings (key, value) values (?, ?)').run(`key ${count++}`, 'x')
  const state = () => parts.map((part) => versions.of(part))
  /** Returns the parts whose version changes during the work. */
  async function changed(work: () => unknown): Promise<DataPart[]> {
    const before = state()
    await Promise.resolve(work()).catch(() => undefined)
    const after = state()
    return parts.filter((_part, index) => after[index] !== before[index])
  }
  const written = (part: WrittenPart, work: () => unknown = insert) => changed(() => write(db, part, work))
  return { db, other, versions, insert, changed, written, state }
}

describe('dataVersion', () => {
  test('stays the same without writes', async () => {
    const { db, changed } = opened()
    expect(await changed(() => db.$client.prepare('select * from settings').all())).toEqual([])
  })

  test('changes after a write of another process', async () => {
    const { changed, insert, other } = opened()
    expect(await changed(() => insert(other))).toEqual(ALL_BUT_REFERENCE)
  })

  test('changes only for the parts that a write affects', async () => {
    const { written } = opened()
    expect(await written('flights')).toEqual(['flights', 'everything'])
    expect(await written('credentials')).toEqual(['credentials', 'everything'])
    expect(await written('accounts')).toEqual(ALL_BUT_REFERENCE)
    expect(await written('reference')).toEqual(ALL_BUT_REFERENCE)
    expect(await written('uncached')).toEqual([])
  })

  test('changes after a failed write', async () => {
    const { written, insert } = opened()
    const failing = () => {
      insert()
      throw new Error('changed my mind')
    }
    expect(await written('flights', failing)).toEqual(['flights', 'everything'])
  })

  test('changes for all parts of writes that share a commit', async () => {
    const { db, changed, insert } = opened()
    const both = () => Promise.all([write(db, 'flights', insert), write(db, 'credentials', insert)])
    expect(await changed(both)).toEqual(['flights', 'credentials', 'everything'])
  })

  test('changes after a write of another connection just before a write of this one', async () => {
    const { db, other, changed, insert } = opened()
    const both = () => {
      insert(other)
      return write(db, 'uncached', insert)
    }
    expect(await changed(both)).toEqual(ALL_BUT_REFERENCE)
  })

  test('changes for reference data after counted writes and manual inserts', async () => {
    const { other, changed, written, versions } = opened()
    const count = () => versions.countReferenceWrite()
    expect(await written('reference', count)).toEqual(parts)
    const incrementCounter = "update settings set value = value + 1 where key = 'reference_generation'"
    expect(await changed(() => other.exec(incrementCounter))).toEqual(parts)
    const manualInsert = "insert into aircraft (name, name_key) values ('By hand', 'by hand')"
    expect(await changed(() => other.exec(manualInsert))).toEqual(parts)
    const rollBack = () => {
      count()
      throw new Error('undone')
    }
    expect(await written('reference', rollBack)).toEqual(ALL_BUT_REFERENCE)
    // The counter has the same value as in the rolled back write.
    expect(await written('reference', count)).toEqual(parts)
  })

  test('is undefined inside a transaction that writes the part', async () => {
    const { db, state, insert } = opened()
    const before = state()
    expect(db.$client.transaction(state)()).toEqual(parts.map(() => undefined))
    const during = await write(db, 'flights', () => {
      insert()
      return state()
    })
    expect(during).toEqual([undefined, before[1], before[2], before[3], undefined])
  })

  test('changes at once after a commit of another connection of this process', async () => {
    const { changed, versions, other } = opened()
    // Bypass the helper, which waits until the change is visible.
    const raw = Object.getPrototypeOf(other).exec.bind(other)
    expect(
      await changed(() => {
        raw("insert into settings (key, value) values ('quick', 'x')")
        versions.pollNow()
      }),
    ).toEqual(ALL_BUT_REFERENCE)
  })

  test('is shared by all users of a connection', () => {
    const { db, versions } = opened()
    expect(dataVersion(db)).toBe(versions)
  })
})
