import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Papa from 'papaparse'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operator } from '../../../src/access/caller.ts'
import { createServices, type Services } from '../../../src/app/services.ts'
import { closeDatabase, type Db, openDatabase } from '../../../src/db/open.ts'
import { requireSqlite } from '../../../src/db/sqlite/sqlite.ts'
import { shippedIndex } from '../../../src/domain/reference/search/indexes.ts'
import { loadedFolder } from '../../support/process.ts'

interface City {
  airports: string
  code: string
  names: string
}

const tableOf = <Row>(name: string) =>
  Papa.parse<Row>(readFileSync(new URL(`../../../src/domain/reference/data/${name}`, import.meta.url), 'utf8'), {
    header: true,
    skipEmptyLines: true,
  }).data

const inOtherScripts = tableOf<Record<string, string>>('city-names.csv').map(({ airport = '', ...names }) => ({
  airports: airport,
  code: '',
  names: Object.values(names).filter(Boolean).join(';'),
}))
const cities = [...tableOf<City>('cities.csv'), ...inOtherScripts]

let db: Db
let services: Services
let folder: string
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'paxlog-test-'))
  db = openDatabase(folder)
  requireSqlite(db).pragma('synchronous = off')
  services = createServices({ db })
  await services.reference.loadShipped()
}, 300_000)

afterAll(async () => {
  await services.credentials.close()
  closeDatabase(db)
  rmSync(folder, { recursive: true, force: true })
})

const airports = async (query: string) =>
  (await services.reference.airports.search(operator, query)).map(({ iata, icao }) => iata ?? icao)
const first = async (query: string) => (await airports(query))[0]
const airlines = async (query: string) =>
  (await services.reference.airlines.search(operator, query)).map(({ icao }) => icao)
const types = async (query: string) =>
  (await services.reference.aircraft.search(operator, query)).map(({ icao }) => icao)

describe('a search for airports', () => {
  test('finds each listed city by all its names in the first three results, and in 98 % first', async () => {
    let [names, foundFirst] = [0, 0]
    const missed: string[] = []
    for (const city of cities) {
      for (const name of city.names.split(';')) {
        const found = (await airports(name)).slice(0, 3)
        const [expectedCode] = city.airports.split(' ')
        if (!found.includes(expectedCode!)) missed.push(`${name}: ${expectedCode} is not in ${found.join(', ')}`)
        if (found[0] === expectedCode) foundFirst++
        names++
      }
    }
    expect(missed).toEqual([])
    expect(foundFirst / names).toBeGreaterThan(0.98)
  }, 300_000)

  test('finds the main airport of a city with several first', async () => {
    for (const [query, codes] of [
      ['paris', ['CDG', 'ORY']],
      ['milan', ['MXP', 'LIN']],
      ['tokyo', ['HND', 'NRT']],
      ['london', ['LHR', 'LGW']],
      ['nyc', ['JFK', 'EWR']],
      ['LON', ['LHR', 'LGW']],
      ['tyo', ['HND', 'NRT']],
      ['new y', ['JFK']],
      ['chicago', ['ORD', 'MDW', 'RFD']],
    ] as const) {
      expect([query, (await airports(query)).slice(0, codes.length)]).toEqual([query, codes])
    }
  })

  test.each([
    ['frankfurt', 'FRA'],
    ['frank', 'FRA'],
    ['münchen', 'MUC'],
    ['muenchen', 'MUC'],
    ['munchen', 'MUC'],
    ['wien', 'VIE'],
    ['brussels', 'BRU'],
    ['bern', 'BRN'],
    ['bari', 'BRI'],
    ['malmö', 'MMX'],
    ['zurich ZRH', 'ZRH'],
    ['ZRH zurich', 'ZRH'],
    ['new york jfk', 'JFK'],
    ['york new', 'JFK'],
    ['newyork', 'JFK'],
    ['san fr', 'SFO'],
    ['los an', 'LAX'],
    ['heathrow', 'LHR'],
    ["o'hare", 'ORD'],
    ['ohare', 'ORD'],
    ['de gaulle', 'CDG'],
    ['kennedy', 'JFK'],
    ['schiphol', 'AMS'],
    ['saint petersburg', 'LED'],
    ['st petersburg', 'LED'],
    ['Mailand Malpensa', 'MXP'],
    ['munich international airport', 'MUC'],
    ['aeropuerto de Barcelona', 'BCN'],
    ['flughafen zürich', 'ZRH'],
    ['monaco', 'MCM'],
    ['philly', 'PHL'],
    ['cdmx', 'MEX'],
    ['luang prabang', 'LPQ'],
    ['pudong', 'PVG'],
    ['toulon', 'TLN'],
    ['barcelona girona', 'GRO'],
    ['Berlin-Tempelhof', 'THF'],
    ['Genf Cointrin', 'GVA'],
    ['Teneriffa Süd', 'TFS'],
    ['FRU', 'BSZ'],
    ['KIV', 'RMO'],
    ['SPIM', 'LIM'],
  ])('%s finds %s first', async (query, code) => {
    expect(await first(query)).toBe(code)
  })

  test('finds every airport first by its IATA and ICAO code, unless that is the name of a city', async () => {
    const rows = db.$client
      .prepare('select icao, iata from airports where (iata is not null and id % 5 = 0) or id % 100 = 0')
      .all() as {
      icao: string
      iata: string | null
    }[]
    const codes = new Set(rows.flatMap(({ icao, iata }) => [icao, ...(iata === null ? [] : [iata])]))
    const iatas = new Set(rows.map(({ iata }) => iata))
    const missed: string[] = []
    for (const code of codes) {
      if (shippedIndex('airports').entriesWith('name', code.toLowerCase()).length > 0) continue
      const [found] = await services.reference.airports.search(operator, code)
      if (found?.iata !== code && (iatas.has(code) || found?.icao !== code)) missed.push(code)
    }
    expect(missed).toEqual([])
  }, 300_000)

  test('finds the 300 busiest airports first by their full names', async () => {
    const index = shippedIndex('airports')
    const missed: string[] = []
    for (let entry = 0; entry < 300; entry++) {
      const { key, name } = index.rowOf(entry)
      const [found] = await services.reference.airports.search(operator, name)
      const id = db.$client.prepare('select id from airports where source_id = ?').pluck().get(key)
      if (found?.id !== id) missed.push(name)
    }
    expect(missed.length).toBeLessThan(6)
  }, 60_000)
})

test('a search for airlines returns exact names first, then those with the most routes', async () => {
  for (const [query, icao] of [
    ['BA', 'BAW'],
    ['LX', 'SWR'],
    ['swiss', 'SWR'],
    ['lufthansa', 'DLH'],
    ['emirates', 'UAE'],
    ['ryanair', 'RYR'],
    ['delta', 'DAL'],
    ['united', 'UAL'],
    ['airlines united', 'UAL'],
    ['china airlines', 'CAL'],
    ['air china', 'CCA'],
    ['Air Arabia', 'ABY'],
    ['wizzair', 'WZZ'],
    ['thai', 'THA'],
    ['pan am', 'PAA'],
    ['air baltic', 'BTI'],
    ['latam', 'LAN'],
    ['swissair', 'SWR'],
    ['alitalia', 'AZA'],
    ['air malta', 'AMC'],
    ['kingfisher', 'KFR'],
  ] as const) {
    expect([query, (await airlines(query))[0]]).toEqual([query, icao])
  }
})

test('a code resolves to the same airline in a search, an import and the legacy API', async () => {
  const { codes } = services.reference
  const shared = db.$client
    .prepare(
      'select distinct iata from airlines where iata is not null union select distinct icao from airlines where icao in (select icao from airlines group by icao having count(*) > 1)',
    )
    .pluck()
    .all() as string[]
  expect(shared.length).toBeGreaterThan(1000)
  for (const code of shared) {
    const [first] = await services.reference.airlines.search(operator, code)
    expect([code, first?.id]).toEqual([code, codes.airline(code, 'icao') ?? codes.airline(code, 'iata')])
  }
}, 300_000)

test('a search for aircraft types accepts timetable codes and common names', async () => {
  for (const [query, icao] of [
    ['738', 'B738'],
    ['77W', 'B77W'],
    ['E90', 'E190'],
    ['b738', 'B738'],
    ['737-800', 'B738'],
    ['a320 neo', 'A20N'],
    ['airbus a321-200', 'A321'],
    ['777-200er', 'B772'],
    ['dhc-8-400', 'DH8D'],
    ['boeing 747-8 intercontinental', 'B748'],
    ['737 max', 'B38M'],
    ['embraer 190', 'E190'],
    ['crj-900', 'CRJ9'],
    ['dc-10', 'DC10'],
    ['md80', 'MD81'],
    ['q400', 'DH8D'],
    ['jumbo', 'B741'],
  ] as const) {
    expect([query, (await types(query))[0]]).toEqual([query, icao])
  }
})

test('after an update from a file, airports are found by their new names and their city', async () => {
  const other = openDatabase(loadedFolder())
  const { reference } = createServices({ db: other })
  const find = async (query: string) => (await reference.airports.search(operator, query)).map(({ icao }) => icao)
  expect((await find('frankfurt'))[0]).toBe('EDDF')
  const sourceId = other.$client.prepare("select source_id from airports where icao = 'EDDF'").pluck().get()
  const header = 'id,ident,type,name,latitude_deg,longitude_deg,continent,iso_country,municipality,icao_code,iata_code'
  const rows = [
    `${sourceId},EDDF,large_airport,Goethe Airport,50.03,8.57,EU,DE,Mainhattan,EDDF,FRA`,
    '999999901,XQ-0001,small_airport,Quxfield,59.9,10.7,EU,NO,Oslo,,',
  ]
  await reference.update({ airports: [header, ...rows].join('\n') })
  expect((await find('quxfield'))[0]).toBe('XQ-0001')
  for (const query of ['goethe', 'mainhattan', 'frankfurt', 'francfort', 'FRA'])
    expect([query, (await find(query))[0]]).toEqual([query, 'EDDF'])
  expect(new Set(await find('frankfurt')).size).toBe((await find('frankfurt')).length)
  // Another process and the next start return the same results.
  const again = createServices({ db: other }).reference
  expect((await again.airports.search(operator, 'goethe'))[0]?.icao).toBe('EDDF')
  await reference.update()
  expect(await find('goethe')).not.toContain('EDDF')
  expect((await find('frankfurt'))[0]).toBe('EDDF')
  expect((await find('quxfield'))[0]).toBe('XQ-0001')
  closeDatabase(other)
}, 300_000)
