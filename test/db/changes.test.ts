import { describe, expect, test } from 'vitest'
import { changeMarks } from '../../src/db/changes.ts'
import { flightChanges } from '../../src/db/flight-changes.ts'
import { openedDatabase } from '../support/database.ts'
import { otherConnection } from '../support/other-connection.ts'
import { temporaryFolder } from '../support/paxlog.ts'

function opened() {
  const folder = temporaryFolder()
  const db = openedDatabase(folder)
  const other = otherConnection(folder)
  const marks = changeMarks(db)
  const flights = flightChanges(db)
  const insert = 'insert into settings (key, value) values (?, ?)'
  let count = 0
  const write = (client = db.$client) => client.prepare(insert).run(`key ${count++}`, 'x')
  /** Which of the two marks differ after some work. */
  const changed = (work: () => void) => {
    const before = [marks.any(), marks.besideFlights()]
    try {
      work()
    } catch {
      // What was undone counts as well.
    }
    return { any: marks.any() !== before[0], besideFlights: marks.besideFlights() !== before[1] }
  }
  /** A write that calls itself one of flights. */
  const writeFlight = (client = db.$client) =>
    flights.write(() => {
      flights.written(1)
      write(client)
    })
  return { db, other, marks, flights, write, writeFlight, changed }
}

describe('the marks of changes', () => {
  test('stay while nothing is written', () => {
    const { changed, db } = opened()
    expect(changed(() => db.$client.prepare('select * from settings').all())).toEqual({
      any: false,
      besideFlights: false,
    })
  })

  test('differ after a write of our own and of another process', () => {
    const { changed, write, other } = opened()
    expect(changed(() => write())).toEqual({ any: true, besideFlights: true })
    expect(changed(() => write(other))).toEqual({ any: true, besideFlights: true })
  })

  test('besideFlights stays after a write of flights, also one that fails, and notices what comes before and after', () => {
    const { changed, write, writeFlight, flights, other } = opened()
    expect(changed(() => writeFlight())).toEqual({ any: true, besideFlights: false })
    const failing = () =>
      flights.write(() => {
        flights.written(1)
        write()
        throw new Error('changed my mind')
      })
    expect(changed(failing)).toEqual({ any: true, besideFlights: false })
    const both = { any: true, besideFlights: true }
    expect(
      changed(() => {
        write()
        writeFlight()
      }),
    ).toEqual(both)
    expect(
      changed(() => {
        writeFlight()
        write()
      }),
    ).toEqual(both)
    expect(changed(() => writeFlight(other))).toEqual(both)
    // It names no flight, so it may have been of anything.
    expect(changed(() => flights.write(() => write()))).toEqual(both)
  })

  test('are never equal inside a transaction, which may be undone', () => {
    const { db, marks } = opened()
    db.$client.transaction(() => {
      expect(marks.any()).not.toBe(marks.any())
      expect(marks.besideFlights()).not.toBe(marks.besideFlights())
    })()
  })
})
