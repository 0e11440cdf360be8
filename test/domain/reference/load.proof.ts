import { describe, expect, test } from 'vitest'
import { operator } from '../../../src/access/caller.ts'
import { createServices } from '../../../src/app/services.ts'
import type { Db } from '../../../src/db/open.ts'
import { loadedVersion } from '../../../src/domain/reference/load.ts'
import { type Renewal, renew } from '../../../src/domain/reference/renew.ts'
import { type ShippedRow, shippedRowStore } from '../../../src/domain/reference/renew-store.ts'
import {
  readShippedAircraft,
  readShippedAirlines,
  readShippedAirports,
  readShippedRoutes,
  shippedVersion,
} from '../../../src/domain/reference/shipped.ts'
import { openedDatabase } from '../../support/database.ts'
import { temporaryFolder } from '../../support/paxlog.ts'
import { loadedFolder } from '../../support/process.ts'

const loaded = () => openedDatabase(loadedFolder())
const service = (db: Db) => createServices({ db }).reference
const sum = (renewals: ({ kind: string } & Renewal)[]) =>
  Object.fromEntries(renewals.map(({ kind, ...counts }) => [kind, Object.values(counts)]))
const all = (db: Db, table: string) => db.$client.prepare(`select * from ${table} order by id`).all()
const only = (db: Db, query: string) => db.$client.prepare(query).get()

describe('the shipped data', () => {
  test('is loaded into empty tables, and its version is stored', async () => {
    const db = openedDatabase(temporaryFolder())
    expect(loadedVersion(db)).toBeUndefined()
    expect(sum(await service(db).loadShipped())).toEqual({
      airports: [[...readShippedAirports()].length, 0, 0, 0],
      airlines: [readShippedAirlines().length, 0, 0, 0],
      aircraft: [readShippedAircraft().length, 0, 0, 0],
      routes: [new Set([...readShippedRoutes()].map(({ airline }) => airline)).size, 0, 0, 0, 0],
    })
    expect(loadedVersion(db)).toBe(shippedVersion())
    expect(only(db, "select iata, name, timezone, country from airports where icao = 'EDDF'")).toEqual({
      iata: 'FRA',
      name: 'Frankfurt Main Airport',
      timezone: 'Europe/Berlin',
      country: 'DE',
    })
    // Ids follow the order of the file, so a shared code resolves to the main airline.
    expect(only(db, 'select name, name_key, icao, iata from airlines where id = 1')).toEqual({
      name: 'Ryanair',
      name_key: 'ryanair',
      icao: 'RYR',
      iata: 'FR',
    })
  })

  test('is not read again at the next start, and a reload changes nothing', async () => {
    const db = loaded()
    const reference = service(db)
    const before = all(db, 'airlines')
    expect(await reference.loadShipped()).toEqual([])
    for (const { inserted, updated, skipped, unchanged } of await reference.update()) {
      expect({ inserted, updated, skipped }).toEqual({ inserted: 0, updated: 0, skipped: 0 })
      expect(unchanged).toBeGreaterThan(1000)
    }
    expect(all(db, 'airlines')).toEqual(before)
  })

  test('is loaded again if the tables have another version', async () => {
    const db = loaded()
    db.$client.exec("update settings set value = 'older' where key = 'reference_version'")
    const reference = service(db)
    expect(await reference.loadShipped()).toHaveLength(4)
    expect(loadedVersion(db)).toBe(shippedVersion())
  })

  test('restores changed and missing rows and keeps custom rows', async () => {
    const db = loaded()
    db.$client.exec(`
      update airports set name = 'Elsewhere', timezone = 'UTC' where icao = 'EDDF';
      delete from airlines where source_id = 'RYR';
      delete from airports where icao = 'ENGM';
      insert into airports (icao, name, latitude, longitude, timezone, type, continent, country)
        values ('ENGM', 'My own Oslo', 1, 2, 'UTC', 'small_airport', 'EU', 'NO');
      insert into airlines (name, name_key, icao) values ('My Air', 'my air', 'XQX');
      delete from route_blocks where airline = 'SWR';
      update route_blocks set packed = x'00' where airline in ('EZY', 'CSC');
      insert into route_blocks values ('XQX', 1, x'00');`)
    const carriers = new Set([...readShippedRoutes()].map(({ airline }) => airline)).size
    expect(sum(await service(db).update())).toEqual({
      airports: [0, 1, [...readShippedAirports()].length - 2, 1],
      airlines: [1, 0, readShippedAirlines().length - 1, 0],
      aircraft: [0, 0, readShippedAircraft().length, 0],
      routes: [1, 2, carriers - 3, 0, 1],
    })
    expect(only(db, "select name, timezone from airports where icao = 'EDDF'")).toEqual({
      name: 'Frankfurt Main Airport',
      timezone: 'Europe/Berlin',
    })
    expect(only(db, "select name, source_id from airports where icao = 'ENGM'")).toEqual({
      name: 'My own Oslo',
      source_id: null,
    })
    expect(only(db, "select count(*) as n from airlines where icao = 'XQX'")).toEqual({ n: 1 })
  })
})

const HEADER = 'id,ident,type,name,latitude_deg,longitude_deg,continent,iso_country,municipality,icao_code,iata_code'
const csv = (...rows: string[]) => [HEADER, ...rows].join('\n')
const FRANKFURT = '2212,EDDF,large_airport,Frankfurt am Main,50.03,8.57,EU,DE,Frankfurt,EDDF,FRA'

describe('an update from files', () => {
  test('reads airports from an OurAirports file and derives the time zone from coordinates', async () => {
    const db = loaded()
    const frankfurt = only(db, "select id, source_id from airports where icao = 'EDDF'") as {
      id: number
      source_id: string
    }
    const row = FRANKFURT.replace(/^\d+/, frankfurt.source_id)
    const [result] = await service(db).update({
      airports: csv(row, '999999901,XQ-0001,small_airport,New Field,59.9,10.7,EU,NO,Oslo,,'),
    })
    expect(result).toMatchObject({ kind: 'airports', updated: expect.any(Number) })
    expect(result!.inserted).toBe(1)
    expect(only(db, `select name, icao from airports where id = ${frankfurt.id}`)).toEqual({
      name: 'Frankfurt am Main',
      icao: 'EDDF',
    })
    expect(only(db, "select name, timezone, iata from airports where icao = 'XQ-0001'")).toEqual({
      name: 'New Field',
      timezone: 'Europe/Oslo',
      iata: null,
    })
    // Airports that are not in the file stay.
    expect(only(db, 'select count(*) as n from airports')).toEqual({ n: [...readShippedAirports()].length + 1 })
    expect(loadedVersion(db)).toBe(shippedVersion())
  })

  test('reads airlines and aircraft types from JSON arrays', async () => {
    const db = loaded()
    const airlines = [
      { name: 'Ryanair Holdings', icao: 'ryr', iata: 'FR' },
      { name: 'Brand New Air', icao: null, iata: 'b9' },
      { name: 'Another Ryanair', icao: 'RYR' },
    ]
    const aircraft = [{ name: 'Airbus A380-800', icao: 'A388' }, { name: 'Flying Saucer' }]
    const result = sum(
      await service(db).update({ airlines: `\uFEFF${JSON.stringify(airlines)}`, aircraft: JSON.stringify(aircraft) }),
    )
    expect(Object.keys(result)).toEqual(['airlines', 'aircraft'])
    expect(result.airlines).toEqual([2, 1, 0, 0])
    expect(only(db, 'select name, name_key, icao, iata, source_id from airlines where id = 1')).toEqual({
      name: 'Ryanair Holdings',
      name_key: 'ryanair holdings',
      icao: 'RYR',
      iata: 'FR',
      source_id: 'RYR',
    })
    expect(only(db, "select iata, icao from airlines where name = 'Brand New Air'")).toEqual({ iata: 'B9', icao: null })
    expect(only(db, "select icao from aircraft where name = 'Flying Saucer'")).toEqual({ icao: null })
    const again = sum(await service(db).update({ airlines: JSON.stringify(airlines) }))
    expect(again.airlines).toEqual([0, 0, 3, 0])
  })

  test('restores the shipped data on request', async () => {
    const db = loaded()
    const before = all(db, 'airlines')
    await service(db).update({ airlines: JSON.stringify([{ name: 'Ryanair Holdings', icao: 'RYR', iata: 'FR' }]) })
    await service(db).update()
    expect(all(db, 'airlines')).toEqual(before)
  })

  test('updates the search index when a new row replaces a removed one, and when that returns', async () => {
    const db = loaded()
    const reference = service(db)
    const names = async (query: string) => (await reference.airports.search(operator, query)).map(({ name }) => name)
    expect((await names('zrh'))[0]).toBe('Zürich Airport')
    db.$client.exec("update airports set source_id = '999999902' where icao = 'LSZH'")
    await reference.update({ airports: csv('999999903,LSZH,large_airport,Wyxfield,47.4,8.5,EU,CH,Zurich,LSZH,ZRH') })
    expect((await names('zrh'))[0]).toBe('Wyxfield')
    expect(await names('wyxfield')).toEqual(['Wyxfield'])
    expect(await names('zürich airport')).not.toContain('Zürich Airport')
    await reference.update()
    expect((await names('zrh'))[0]).toBe('Zürich Airport')
    expect(await names('wyxfield')).toEqual([])
  })

  test.each([
    ['airports', 'name,code\nOslo,OSL', /^Cannot read the airports file: This is not the airports.csv/],
    ['airports', HEADER, /^Cannot read the airports file: It has no usable airports\.$/],
    ['airports', '', /^Cannot read the airports file: /],
    ['airlines', '{', /^The airlines file is not valid JSON\.$/],
    ['airlines', '{"name": "x"}', /^The airlines file must be a JSON array of .* Fix the top level\.$/],
    ['airlines', '[{"name": "Good", "icao": "GOO"}, {"icao": "BAD"}]', /Fix 1\.name\.$/],
    ['airlines', '[{"name": "x", "icao": "TOOLONG"}]', /Fix 0\.icao\.$/],
    ['airlines', '[{"name": "x", "iata": "ABC"}]', /Fix 0\.iata\.$/],
    ['aircraft', '[{"name": "  "}]', /Fix 0\.name\.$/],
    ['aircraft', '[{"name": "x", "icao": "A"}]', /Fix 0\.icao\.$/],
  ])('rejects a broken file of %s and changes nothing: %j', async (kind, content, message) => {
    const db = loaded()
    const reference = service(db)
    const before = db.$client.prepare('select total_changes()').pluck().get()
    // A valid file in the same update is not applied either.
    const files = { aircraft: '[{"name": "Flying Saucer"}]', [kind]: content }
    const error = { name: 'StartupError', message: expect.stringMatching(message) }
    await expect(reference.update(files)).rejects.toMatchObject(error)
    expect(db.$client.prepare('select total_changes()').pluck().get()).toBe(before)
  })
})

describe('the update of rows', () => {
  const row = (sourceId: string, icao: string, name = `Airport ${sourceId}`): ShippedRow => ({
    sourceId,
    icao,
    iata: null,
    name,
    municipality: null,
    latitude: 1,
    longitude: 2,
    timezone: 'UTC',
    type: 'small_airport',
    continent: 'EU',
    country: 'DE',
    validFrom: null,
    validUntil: null,
  })

  function table(...rows: ShippedRow[]): Db {
    const db = openedDatabase(temporaryFolder())
    renew(shippedRowStore(db, 'airports'), rows)
    return db
  }
  const custom = (db: Db, icao: string) =>
    db.$client
      .prepare(
        "insert into airports (icao, name, latitude, longitude, timezone, type, continent, country) values (?, 'custom', 1, 2, 'UTC', 'closed', 'EU', 'DE')",
      )
      .run(icao)
  function apply(db: Db, ...rows: ShippedRow[]) {
    const { inserted, updated, unchanged, skipped } = renew(shippedRowStore(db, 'airports'), rows)
    return [inserted, updated, unchanged, skipped]
  }
  /** Rows as "id source icao". */
  const state = (db: Db) =>
    db.$client
      .prepare("select id || ' ' || coalesce(source_id, 'custom') || ' ' || icao from airports order by id")
      .pluck()
      .all()

  test('updates a changed row and keeps its id', () => {
    const db = table(row('1', 'AAAA'), row('2', 'BBBB'))
    expect(apply(db, row('1', 'AAAA', 'New name'), row('2', 'BBBB'))).toEqual([0, 1, 1, 0])
    expect(db.$client.prepare('select name from airports where id = 1').pluck().get()).toBe('New name')
  })

  test('keeps a row that is no longer in the data', () => {
    const db = table(row('1', 'AAAA'), row('2', 'BBBB'))
    expect(apply(db, row('2', 'BBBB'))).toEqual([0, 0, 1, 0])
    expect(state(db)).toEqual(['1 1 AAAA', '2 2 BBBB'])
  })

  test('replaces a row that is no longer in the data by a new one with the same code', () => {
    const db = table(row('1', 'AAAA'))
    expect(apply(db, row('9', 'AAAA'))).toEqual([0, 1, 0, 0])
    expect(state(db)).toEqual(['1 9 AAAA'])
  })

  test('lets two or three rows exchange their codes', () => {
    const db = table(row('1', 'AAAA'), row('2', 'BBBB'), row('3', 'CCCC'))
    expect(apply(db, row('1', 'BBBB'), row('2', 'AAAA'), row('3', 'CCCC'))).toEqual([0, 2, 1, 0])
    expect(apply(db, row('1', 'CCCC'), row('2', 'BBBB'), row('3', 'AAAA'))).toEqual([0, 3, 0, 0])
    expect(state(db)).toEqual(['1 1 CCCC', '2 2 BBBB', '3 3 AAAA'])
  })

  test('skips a row whose code belongs to a custom row', () => {
    const db = table(row('1', 'AAAA'))
    custom(db, 'BBBB')
    expect(apply(db, row('1', 'AAAA'), row('2', 'BBBB'))).toEqual([0, 0, 1, 1])
    expect(state(db)).toEqual(['1 1 AAAA', '2 custom BBBB'])
  })

  test('skips a code change to that of a custom row, and changes that depend on it', () => {
    const db = table(row('1', 'AAAA'), row('2', 'BBBB'))
    custom(db, 'CCCC')
    // Row 1 cannot take CCCC and keeps AAAA, so row 2 cannot take AAAA and row 3 cannot take BBBB.
    expect(apply(db, row('1', 'CCCC'), row('2', 'AAAA'), row('3', 'BBBB'))).toEqual([0, 0, 0, 3])
    expect(state(db)).toEqual(['1 1 AAAA', '2 2 BBBB', '3 custom CCCC'])
  })

  test('applies the first of two rows with the same code or source', () => {
    const db = table()
    expect(apply(db, row('1', 'AAAA', 'first'), row('2', 'AAAA'), row('1', 'BBBB'))).toEqual([1, 0, 0, 2])
    expect(state(db)).toEqual(['1 1 AAAA'])
    expect(apply(db, row('1', 'BBBB'), row('1', 'CCCC'), row('3', 'AAAA'))).toEqual([1, 1, 0, 1])
    expect(state(db)).toEqual(['1 1 BBBB', '2 3 AAAA'])
  })
})
