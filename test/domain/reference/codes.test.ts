import { expect, test } from 'vitest'
import { operator } from '../../../src/access/caller.ts'
import { createServices } from '../../../src/app/services.ts'
import { openedDatabase } from '../../support/database.ts'
import { loadedFolder } from '../../support/process.ts'

const loaded = () => openedDatabase(loadedFolder())

test('a former code finds the current airport, in any letter case and by its kind', async () => {
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
  // The current holder of a code takes precedence over former ones.
  const { id: _, custom, ...today } = records.airport(codes.airport('BSZ')!)!
  const { id } = await reference.airports.create(operator, { ...today, icao: 'XX-1', iata: 'FRU' })
  expect(codes.airport('FRU')).toBe(id)
})

test('the code of Pokhara refers to the new airport, and to the old one before the move', () => {
  const { codes, records } = createServices({ db: loaded() }).reference
  const icaoOn = (date: string) => records.airport(codes.airportOn('VNPK', date)!)?.icao
  expect(records.airport(codes.airport('PKR')!)).toMatchObject({ icao: 'VNPR', name: 'Pokhara International Airport' })
  expect([icaoOn('2022-12-31'), icaoOn('2023-01-01')]).toEqual(['VNPK', 'VNPR'])
})

test('an airport is found by its transliterated Cyrillic name', async () => {
  const { reference } = createServices({ db: loaded() })
  const [first] = await reference.airports.search(operator, 'Пловдив')
  expect(first?.iata).toBe('PDV')
  expect(await reference.airports.search(operator, 'Ъъъъъ')).toEqual([])
})

test('a code resolves to airlines with routes, then to known former ones before minor ones', () => {
  const { codes, records } = createServices({ db: loaded() }).reference
  const carrier = (code: string) => records.airline(codes.airline(code, 'iata')!)?.icao
  expect(['BF', 'BD', 'KA', 'OG', 'S5'].map(carrier)).toEqual(['FBU', 'BMA', 'HDA', 'FPY', 'SDG'])
})

test('a code resolves to the airline with the most routes, regardless of ids', async () => {
  const db = loaded()
  const { reference } = createServices({ db })
  const { codes, records } = reference
  const name = (code: string, by: 'icao' | 'iata') => records.airline(codes.airline(code, by) ?? 0)?.name
  const found = ['BA', 'LX', 'LH'].map((code) => name(code, 'iata'))
  expect(found).toEqual(['British Airways', 'Swiss International Air Lines', 'Lufthansa'])
  // In databases of older releases, newly added airlines have the highest ids.
  db.$client.exec("update airlines set id = (select max(id) + 1 from airlines) where icao = 'BAW'")
  const again = createServices({ db }).reference
  expect(again.records.airline(again.codes.airline('BA', 'iata')!)?.name).toBe('British Airways')
  const customAirline = await again.airlines.create(operator, { name: 'Own', icao: null, iata: 'BA*' })
  expect(again.codes.airlinesWith('ba*', 'iata').at(-1)).toBe(customAirline.id)
  expect(again.codes.airlinesWith('ba', 'iata').length).toBeGreaterThan(2)
})
