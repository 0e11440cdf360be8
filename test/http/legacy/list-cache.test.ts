import { expect, test } from 'vitest'
import type { Db } from '../../../src/db/open.ts'
import { isPostgres } from '../../support/engine.ts'
import { paxlog } from '../../support/paxlog.ts'
import { recordStatements } from '../../support/recorded-statements.ts'
import { manyFlights, places } from '../../support/travel.ts'
import { runNow } from '../../support/write-now.ts'
import { legacyServer } from './support.ts'

test('the list shows every write to flights and names since the last read', async () => {
  const server = await legacyServer()
  const user = server.user({ displayName: 'Mira' })
  const me = server.legacyAs(user)
  const passengers = [{ userId: user.id, seat: 'window' }]
  const notes = async () => (await me.get('/flight/list')).body.flights.map(({ note }: { note: string }) => note)
  const first = await me.saveAndGet({ from: 'ZRH', to: 'LIS', departure: '2025-05-03', passengers, note: 'one' })
  await me.saveAndGet({ from: 'ZRH', to: 'LIS', departure: '2025-05-04', passengers, note: 'two' })
  expect(await notes()).toEqual(['one', 'two'])
  await me.save({ id: first.id, from: 'ZRH', to: 'LIS', departure: '2025-05-03', passengers, note: 'changed' })
  expect(await notes()).toEqual(['changed', 'two'])
  await me.post('/flight/delete', { id: first.id })
  await me.saveAndGet({ from: 'ZRH', to: 'LIS', departure: '2025-05-05', passengers, note: 'three' })
  expect(await notes()).toEqual(['two', 'three'])
  // Writes directly to the database, as a command does.
  runNow(server.db, 'update users set display_name = ? where id = ?', 'Mira B.', user.id)
  const { body } = await me.get('/flight/list')
  expect(body.flights[0].passengers[0].user.displayName).toBe('Mira B.')
})

// With PostgreSQL every commit empties the cache, also that of the last use of a key.
test.skipIf(isPostgres)('reads a list of 10,000 flights from the database once', async () => {
  const recorded: string[][] = []
  const onOpen = ({ $client }: Db) => void recorded.push(recordStatements($client))
  const app = await paxlog({ unused: true, onOpen })
  const user = app.user()
  manyFlights(app.db, places(app.db), user.id, 10_000)
  const list = () => app.request({ url: '/api/flight/list', headers: { authorization: `Bearer ${user.key}` } })
  const before = [await list(), await list()]
  expect(before[0]!.body.flights).toHaveLength(10_000)
  for (const executed of recorded) executed.length = 0
  const after = [await list(), await list()]
  expect(new Set([...before, ...after].map(({ text }) => text)).size).toBe(1)
  expect(recorded.flat().length).toBeLessThan(10)
})
