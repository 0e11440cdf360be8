import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { changeMarks } from '../../src/db/changes.ts'
import { databasePath } from '../../src/db/directory.ts'
import { openedDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/paxlog.ts'

function opened() {
  const folder = temporaryFolder()
  const db = openedDatabase(folder)
  const other = new Database(databasePath(folder))
  onTestFinished(() => {
    other.close()
  })
  const marks = changeMarks(db)
  const insert = 'insert into settings (key, value) values (?, ?)'
  let count = 0
  const write = (client = db.$client) => client.prepare(insert).run(`key ${count++}`, 'x')
  /** Which of the two marks differ after some work. */
  const changed = async (work: () => void) => {
    const before = [marks.any(), marks.besideFlights()]
    try {
      work()
    } catch {
      // What was undone counts as well.
    }
    // A look for writes of others serves until the next turn.
    await Promise.resolve()
    return { any: marks.any() !== before[0], besideFlights: marks.besideFlights() !== before[1] }
  }
  return { db, other, marks, write, changed }
}

describe('the marks of changes', () => {
  test('stay while nothing is written', async () => {
    const { changed, db } = opened()
    expect(await changed(() => db.$client.prepare('select * from settings').all())).toEqual({
      any: false,
      besideFlights: false,
    })
  })

  test('differ after a write of our own and of another process', async () => {
    const { changed, write, other } = opened()
    expect(await changed(() => write())).toEqual({ any: true, besideFlights: true })
    expect(await changed(() => write(other))).toEqual({ any: true, besideFlights: true })
  })

  test('besideFlights stays after a write of flights, also one that fails, and notices what comes before and after', async () => {
    const { changed, write, marks, other } = opened()
    expect(await changed(() => marks.writeFlights(() => write()))).toEqual({ any: true, besideFlights: false })
    const failing = () =>
      marks.writeFlights(() => {
        write()
        throw new Error('changed my mind')
      })
    expect(await changed(failing)).toEqual({ any: true, besideFlights: false })
    const both = { any: true, besideFlights: true }
    expect(
      await changed(() => {
        write()
        marks.writeFlights(() => write())
      }),
    ).toEqual(both)
    expect(
      await changed(() => {
        marks.writeFlights(() => write())
        write()
      }),
    ).toEqual(both)
    expect(await changed(() => marks.writeFlights(() => write(other)))).toEqual(both)
  })

  test('are never equal inside a transaction, which may be undone', () => {
    const { db, marks } = opened()
    db.$client.transaction(() => {
      expect(marks.any()).not.toBe(marks.any())
      expect(marks.besideFlights()).not.toBe(marks.besideFlights())
    })()
  })
})
