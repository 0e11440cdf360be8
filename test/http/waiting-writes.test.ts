import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { holdWriteLock, otherConnection } from '../support/other-connection.ts'
import { paxlog } from '../support/paxlog.ts'

test('writes wait for another program without blocking the event loop, and reads do not wait', async () => {
  const app = await paxlog()
  const mira = app.as(app.user({ owner: true }))
  const other = otherConnection(app.dataDir)
  holdWriteLock(other)
  let written = 0
  const writes = Promise.all(
    ['km', 'mi', 'nm'].map(async (distanceUnit) => {
      const { status } = await mira.put('/preferences', { distanceUnit })
      written++
      return status
    }),
  )
  // A wait inside SQLite would block every timer of this process.
  for (let round = 0; round < 5; round++) {
    expect((await mira.get('/me')).status).toBe(200)
    await wait(20)
  }
  expect(written).toBe(0)
  other.exec('rollback')
  expect(await writes).toEqual([200, 200, 200])
  expect(app.db.$client.inTransaction).toBe(false)
})
