import { expect, test } from 'vitest'
import { operator } from '../../../src/access/caller.ts'
import { createServices } from '../../../src/app/services.ts'
import { editsBetween } from '../../../src/domain/reference/search/misspellings.ts'
import { openedDatabase } from '../../support/database.ts'
import { loadedFolder } from '../../support/process.ts'

test.each([
  ['bangkok', 'bangkok', 0],
  ['bankok', 'bangkok', 1],
  ['bangkook', 'bangkok', 1],
  ['bangcok', 'bangkok', 1],
  ['bagnkok', 'bangkok', 1],
  ['bagncok', 'bangkok', 2],
  ['paris', 'london', 3],
])('%s and %s differ by %i edits, counted up to three', (one, other, edits) => {
  expect(Math.min(editsBetween(one, other, 2), 3)).toBe(edits)
  expect(Math.min(editsBetween(other, one, 2), 3)).toBe(edits)
})

test('only a query that finds nothing is corrected, and not a short one', async () => {
  const { airports, airlines, aircraft } = createServices({ db: openedDatabase(loadedFolder()) }).reference
  const find = async (query: string) => {
    const { rows, isCorrected } = await airports.find(operator, query)
    return [rows[0]?.iata, isCorrected]
  }
  expect(await find('frankfrut')).toEqual(['FRA', true])
  expect(await find('frankfrut airport')).toEqual(['FRA', true])
  expect(await find('london heatrow')).toEqual(['LHR', true])
  expect(await find('frankfurt')).toEqual(['FRA', false])
  expect(await find('viyana')).toEqual(['VIE', false])
  expect(await find('qqx')).toEqual([undefined, false])
  expect(await find('qqxzqqxzqqxz')).toEqual([undefined, false])
  expect((await airlines.find(operator, 'luftansa')).isCorrected).toBe(true)
  expect(await aircraft.find(operator, 'boieng')).toEqual({ rows: [], isCorrected: false })
})
