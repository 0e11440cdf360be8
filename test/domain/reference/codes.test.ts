import { expect, test } from 'vitest'
import { operator } from '../../../src/access/caller.ts'
import { createServices } from '../../../src/app/services.ts'
import { openedDatabase } from '../../support/database.ts'
import { loadedFolder } from '../../support/process.ts'

const loaded = () => openedDatabase(loadedFolder())

test('a code that was renamed finds the airport of today, in any case and by its kind', async () => {
  const { reference } = createServices({ db: loaded() })
  const { codes, records } = reference
  const icao = (code: string, by?: 'icao' | 'iata' | 'code') => records.airport(codes.airport(code, by) ?? 0)?.icao
  for (const [former, today] of [
    ['FRU', 'UCFM'],
    ['KIV', 'LUKK'],
    ['TSE', 'UACC'],
    ['RYG', 'ENRY'],
    ['MJV', 'LELC'],
    ['MLH', 'LFSB'],
    ['SPIM', 'SPJC'],
    ['OKBK', 'OKKK'],
    ['UTTT', 'UZTT'],
    ['VGZR', 'VGHS'],
    ['fajs', 'FAOR'],
    ['PHH', 'VNPR'],
  ] as const) {
    expect([former, icao(former)]).toEqual([former, today])
    expect(icao(former, former.length === 3 ? 'iata' : 'icao')).toBe(today)
  }
  // Who has a code today has it, whoever had it before.
  const { id: _, custom, ...today } = records.airport(codes.airport('BSZ')!)!
  const { id } = await reference.airports.create(operator, { ...today, icao: 'XX-1', iata: 'FRU' })
  expect(codes.airport('FRU')).toBe(id)
})

test('the flights of Pokhara have moved with their code, and a timetable that has the old airport means it until then', () => {
  const { codes, records } = createServices({ db: loaded() }).reference
  const icaoOn = (date: string) => records.airport(codes.airportOn('VNPK', date)!)?.icao
  expect(records.airport(codes.airport('PKR')!)).toMatchObject({ icao: 'VNPR', name: 'Pokhara International Airport' })
  expect([icaoOn('2022-12-31'), icaoOn('2023-01-01')]).toEqual(['VNPK', 'VNPR'])
})

test('an airport is also found by its name in Cyrillic letters that the data does not have', async () => {
  const { reference } = createServices({ db: loaded() })
  const [first] = await reference.airports.search(operator, 'Пловдив')
  expect(first?.iata).toBe('PDV')
  expect(await reference.airports.search(operator, 'Ъъъъъ')).toEqual([])
})

test('a code means those that people fly with, not a carrier of freight or of a single flight', () => {
  const { codes, records } = createServices({ db: loaded() }).reference
  const carrier = (code: string) => records.airline(codes.airline(code, 'iata')!)?.icao
  expect(['BF', 'BD', 'KA', 'OG', 'S5'].map(carrier)).toEqual(['FBU', 'BMA', 'HDA', 'FPY', 'SDG'])
})

test('a code means the carrier with most routes, whatever the ids', async () => {
  const db = loaded()
  const { reference } = createServices({ db })
  const { codes, records } = reference
  const name = (code: string, by: 'icao' | 'iata') => records.airline(codes.airline(code, by) ?? 0)?.name
  const found = ['BA', 'LX', 'LH'].map((code) => name(code, 'iata'))
  expect(found).toEqual(['British Airways', 'Swiss International Air Lines', 'Lufthansa'])
  // As in a database that has known its carriers since an older release: the newest ones have the highest ids.
  db.$client.exec("update airlines set id = (select max(id) + 1 from airlines) where icao = 'BAW'")
  const again = createServices({ db }).reference
  expect(again.records.airline(again.codes.airline('BA', 'iata')!)?.name).toBe('British Airways')
  const own = await again.airlines.create(operator, { name: 'Own', icao: null, iata: 'BA*' })
  expect(again.codes.airlinesWith('ba*', 'iata').at(-1)).toBe(own.id)
  expect(again.codes.airlinesWith('ba', 'iata').length).toBeGreaterThan(2)
})
