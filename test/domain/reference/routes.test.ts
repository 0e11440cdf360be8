import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { openInMemory } from '../../../src/db/open.ts'
import { readRoutesFile } from '../../../src/domain/reference/routes-file.ts'
import { blocksOf, type RouteBlock, replaceRoutes, routesStore } from '../../../src/domain/reference/routes-store.ts'
import { readShippedRoutes } from '../../../src/domain/reference/shipped.ts'
import { temporaryFolder } from '../../support/paxlog.ts'

function fileOf(content: string | Buffer): string {
  const path = join(temporaryFolder(), 'routes.csv')
  writeFileSync(path, content)
  return path
}
const HEADER = 'airline,number,since,airports'
const csv = (...rows: string[]) => [HEADER, ...rows].join('\n')

function stored(routes: Iterable<RouteBlock>) {
  const db = openInMemory()
  const renewal = replaceRoutes(db, routes)
  const { find } = routesStore(db)
  const blocks = db.$client.prepare('select count(*) from route_blocks').pluck().get() as number
  const stopsOf = (airline: string, number: number, date: string) => find(airline, number, date)?.stops.join('-')
  return { db, renewal, blocks, find, stopsOf }
}

describe('routes', () => {
  test('are found by date, on and before their first day', () => {
    const numbers: number[] = []
    for (let number = 1; number <= 5000; number += 1 + (number % 3)) numbers.push(number)
    const lines = numbers.flatMap((number) => [
      `SWR\t${String(number).padStart(5, '0')}\t\tLSZH-X${number % 90}`,
      `SWR\t${String(number).padStart(5, '0')}\t2024-02-29\tLSZH-LPPT-Y${number % 300}`,
    ])
    const { blocks, stopsOf, find } = stored(blocksOf(Buffer.from(lines.join('\n'))))
    expect(blocks).toBeGreaterThan(1)
    for (const number of numbers.filter((_, index) => index % 50 === 0)) {
      expect(stopsOf('SWR', number, '2024-02-28')).toBe(`LSZH-X${number % 90}`)
      expect(stopsOf('SWR', number, '2024-02-29')).toBe(`LSZH-LPPT-Y${number % 300}`)
    }
    expect(find('SWR', 1, '2024-02-28')?.since).toBeNull()
    expect(find('SWR', 1, '2024-02-29')?.since).toBe('2024-02-29')
    expect(stopsOf('SWR', 2, '2024-02-29')).toBeUndefined()
    expect(stopsOf('SWI', 1, '2024-02-29')).toBeUndefined()
  })

  test('are sorted in the shipped file', () => {
    const blocks = [...readShippedRoutes()]
    const lines = blocks.flatMap(({ packed }) => gunzipSync(packed).toString('latin1').trimEnd().split('\n'))
    expect(lines).toEqual([...lines].sort())
    for (const { airline, firstNumber, packed } of blocks) {
      const [start] = gunzipSync(packed).toString('latin1').split('\n', 1)
      expect(start?.startsWith(`${airline}\t${String(firstNumber).padStart(5, '0')}\t`)).toBe(true)
    }
    const { renewal, stopsOf } = stored(blocks)
    expect(renewal).toEqual({ inserted: 1167, updated: 0, unchanged: 0, skipped: 0, removed: 0 })
    expect(stopsOf('SWR', 2084, '2026-01-01')).toBe('LSZH-LPPT')
    expect(stopsOf('CSC', 8633, '2026-01-01')).toBe('ZUCK-ZULS')
  })
})

describe('a file of routes', () => {
  test.each([
    ['plain', (text: string) => text],
    ['gzipped', (text: string) => gzipSync(text)],
    ['with CRLF and a byte order mark', (text: string) => `\uFEFF${text.replaceAll('\n', '\r\n')}\r\n`],
  ])('%s is read with rows and columns in any order', (_name, written) => {
    const text =
      'airports,extra,number,"airline",since\nLSZH-KJFK,,0014,SWR,2024-01-01\nEGKK-LIMC,x,8001,EZY,\n"LSZH-LPPT",,14,SWR,\nLSZH-KLAX,,14,SWR,2024-01-01'
    const { renewal, stopsOf } = stored(blocksOf(readRoutesFile(fileOf(written(text)))))
    expect(renewal.inserted).toBe(2)
    expect(stopsOf('EZY', 8001, '2024-01-01')).toBe('EGKK-LIMC')
    expect(stopsOf('SWR', 14, '2023-12-31')).toBe('LSZH-LPPT')
    // The later of two rows with the same day wins.
    expect(stopsOf('SWR', 14, '2024-01-01')).toBe('LSZH-KLAX')
  })

  test('may have the last day of a route, after which it is not found', () => {
    const ended = fileOf('airline,number,until,airports\nMON,1,2020-02-28,EGKK-LEPA\nMON,2,2019-12-31,EGKK-LIMC')
    const more = fileOf(csv('MON,2,2020-01-01,EGKK-LFPG', 'MON,3,2021-01-01,EGKK-EHAM'))
    const { stopsOf, find } = stored(blocksOf(readRoutesFile(ended, more)))
    expect([stopsOf('MON', 1, '2020-02-28'), stopsOf('MON', 1, '2020-02-29')]).toEqual(['EGKK-LEPA', undefined])
    expect([stopsOf('MON', 2, '2019-12-31'), stopsOf('MON', 2, '2020-01-01')]).toEqual(['EGKK-LIMC', 'EGKK-LFPG'])
    // Without a route of the day, the earliest later one is found.
    expect(find('MON', 3, '2020-01-01')).toEqual({ since: '2021-01-01', stops: ['EGKK', 'EHAM'] })
  })

  test('with invalid rows is rejected with their line numbers', () => {
    const path = fileOf(
      csv(
        'SWR,14,,LSZH-KJFK',
        'Swiss,14,,LSZH-KJFK',
        'SWR,14A,,LSZH-KJFK',
        'SWR,1,2024-02-30,LSZH-KJFK',
        'SWR,1,1999-12-31,LSZH-KJFK',
        'SWR,1,,LSZH',
        'SWR,1,,LSZH KJFK',
        'SWR',
      ),
    )
    let message = ''
    try {
      readRoutesFile(path)
    } catch (error) {
      message = (error as Error).message
    }
    for (const line of [3, 4, 5, 6, 7, 8, 9]) expect(message).toContain(`line ${line}: `)
    expect(message).not.toContain('line 2: ')
  })

  test.each([
    ['without a column', 'airline,number,airports\nSWR,14,LSZH-KJFK', /lacks columns: since/],
    ['without a row', HEADER, /has no routes/],
    ['of one endless line', `${HEADER}\n${'x'.repeat(100_000)}`, /too long/],
    ['with truncated gzip', gzipSync(csv('SWR,14,,LSZH-KJFK')).subarray(0, 30), /Cannot read/],
    ['with thousands of invalid rows', csv(...Array.from({ length: 5000 }, () => 'x')), /line 11: /],
  ])('%s is rejected', (_what, content, message) => {
    const path = fileOf(content)
    expect(() => readRoutesFile(path)).toThrow(message)
  })

  test('that does not exist is rejected', () => {
    expect(() => readRoutesFile(join(temporaryFolder(), 'no.csv'))).toThrow(/Cannot read the routes file: ENOENT/)
  })
})
