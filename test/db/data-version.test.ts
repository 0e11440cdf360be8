import { describe, expect, test } from 'vitest'
import { type DataPart, dataVersion } from '../../src/db/data-version.ts'
import { openedDatabase } from '../support/database.ts'
import { otherConnection } from '../support/other-connection.ts'
import { temporaryFolder } from '../support/paxlog.ts'

const parts = ['flights', 'accounts', 'reference', 'everything'] as const
const ALL_BUT_REFERENCE: DataPart[] = ['flights', 'accounts', 'everything']

function opened() {
  const folder = temporaryFolder()
  const db = openedDatabase(folder)
  const other = otherConnection(folder)
  const versions = dataVersion(db)
  let count = 0
  const write = (client = db.$client) =>
    client.prepare('insert into settings (key, value) values (?, ?)').run(`key ${count++}`, 'x')
  const state = () => parts.map((part) => versions.of(part))
  /** The parts whose version is another one after some work. */
  function changed(work: () => unknown): DataPart[] {
    const before = state()
    try {
      work()
    } catch {
      // What was undone may count as well.
    }
    const after = state()
    return parts.filter((_part, index) => after[index] !== before[index])
  }
  return { db, other, versions, write, changed, state }
}

describe('the version of the data', () => {
  test('stays while nothing is written', () => {
    const { db, changed } = opened()
    expect(changed(() => db.$client.prepare('select * from settings').all())).toEqual([])
  })

  test('differs after a write of our own that does not say of what, and after one of another process', () => {
    const { changed, write, other } = opened()
    expect(changed(() => write())).toEqual(ALL_BUT_REFERENCE)
    expect(changed(() => write(other))).toEqual(ALL_BUT_REFERENCE)
  })

  test('of one part differs alone after a write that names it, also one that fails', () => {
    const { db, changed, write, versions } = opened()
    const inTransaction = (work: () => void) => () => db.$client.transaction(work)()
    expect(changed(() => versions.write('flights', inTransaction(write)))).toEqual(['flights', 'everything'])
    expect(changed(() => versions.write('unkept', inTransaction(write)))).toEqual([])
    const failing = inTransaction(() => {
      write()
      throw new Error('changed my mind')
    })
    expect(changed(() => versions.write('flights', failing))).toEqual(['flights', 'everything'])
  })

  test('notices what is written before and after a write that names its part', () => {
    const { changed, write, versions, other } = opened()
    const both = (first: () => unknown, second: () => unknown) => () => {
      first()
      second()
    }
    const named = () => versions.write('flights', write)
    expect(changed(both(write, named))).toEqual(ALL_BUT_REFERENCE)
    expect(changed(both(named, write))).toEqual(ALL_BUT_REFERENCE)
    expect(changed(both(() => write(other), named))).toEqual(ALL_BUT_REFERENCE)
  })

  test('of reference data differs after a counted write, here or elsewhere, and after a row by hand', () => {
    const { db, other, changed, versions } = opened()
    expect(changed(() => versions.countReferenceWrite())).toEqual(parts)
    expect(
      changed(() => other.exec("update settings set value = value + 1 where key = 'reference_generation'")),
    ).toEqual(parts)
    const byHand = "insert into aircraft (name, name_key) values ('By hand', 'by hand')"
    expect(changed(() => db.$client.exec(byHand))).toEqual(parts)
    const undone = () =>
      db.$client.transaction(() => {
        versions.countReferenceWrite()
        throw new Error('undone')
      })()
    expect(changed(undone)).not.toContain('reference')
  })

  test('is not there inside a transaction that may write the part and be undone', () => {
    const { db, versions, state, write } = opened()
    const before = state()
    expect(db.$client.transaction(state)()).toEqual([undefined, undefined, undefined, undefined])
    const during = versions.write('flights', () =>
      db.$client.transaction(() => {
        write()
        return state()
      })(),
    )
    expect(during).toEqual([undefined, before[1], before[2], undefined])
  })

  test('is told of a commit of another connection at once where that is asked for', () => {
    const { changed, versions, other } = opened()
    // Around the helper, which waits until anybody can know of it.
    const raw = Object.getPrototypeOf(other).exec.bind(other)
    expect(
      changed(() => {
        raw("insert into settings (key, value) values ('quick', 'x')")
        versions.pollNow()
      }),
    ).toEqual(ALL_BUT_REFERENCE)
  })

  test('is the same one for everybody on a connection', () => {
    const { db, versions } = opened()
    expect(dataVersion(db)).toBe(versions)
  })
})
