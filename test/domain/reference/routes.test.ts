import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { readRoutesFile } from '../../../src/domain/reference/routes-file.ts'
import {
  blockIn,
  joinBlocks,
  packAirline,
  type Route,
  routeOn,
  rowOf,
  splitBlocks,
} from '../../../src/domain/reference/routes-packing.ts'
import { readShippedRoutes } from '../../../src/domain/reference/shipped.ts'
import { temporaryFolder } from '../../support/paxlog.ts'

function fileOf(content: string | Buffer): string {
  const path = join(temporaryFolder(), 'routes.csv')
  writeFileSync(path, content)
  return path
}
const HEADER = 'airline,number,since,airports'
const csv = (...rows: string[]) => [HEADER, ...rows].join('\n')
const stopsOf = (
  blocks: Iterable<{ airline: string; firstNumber: number; bytes: Uint8Array }>,
  airline: string,
  number: number,
  date: string,
) => {
  const block = [...blocks].filter((each) => each.airline === airline && each.firstNumber <= number).at(-1)
  return block && routeOn(block.bytes, number, date)?.stops.join('-')
}

describe('packed routes', () => {
  test('are found again, every one of them on its first day and on the day before', () => {
    const routes: Route[] = []
    for (let number = 1; number <= 5000; number += 1 + (number % 3)) {
      routes.push({ number, since: null, stops: ['LSZH', `X${number % 90}`] })
      routes.push({ number, since: '2024-02-29', stops: ['LSZH', 'LPPT', `Y${number % 300}`] })
    }
    const blocks = [...splitBlocks(joinBlocks([...packAirline('SWR', routes)]))]
    expect(blocks.length).toBeGreaterThan(1)
    for (const { number } of routes) {
      expect(stopsOf(blocks, 'SWR', number, '2024-02-28')).toBe(`LSZH-X${number % 90}`)
      expect(stopsOf(blocks, 'SWR', number, '2024-02-29')).toBe(`LSZH-LPPT-Y${number % 300}`)
    }
    expect(stopsOf(blocks, 'SWR', 2, '2024-02-29')).toBeUndefined()
  })

  test('are shipped in the order in which a look-up needs them, in less than three megabytes', () => {
    const blocks = [...readShippedRoutes()]
    const keys = blocks.map(({ airline, firstNumber }) => `${airline} ${String(firstNumber).padStart(5, '0')}`)
    expect(keys).toEqual([...keys].sort())
    expect(joinBlocks(blocks).length).toBeLessThan(3_000_000)
    expect(stopsOf(blocks, 'SWR', 2084, '2026-01-01')).toBe('LSZH-LPPT')
    expect(stopsOf(blocks, 'CSC', 8633, '2026-01-01')).toBe('ZUCK-ZULS')
  })
})

describe('a row of routes', () => {
  test('is read as this version writes it, and deflated as earlier ones did', () => {
    for (const { bytes } of readShippedRoutes()) {
      expect(Buffer.compare(blockIn(rowOf(bytes)), bytes)).toBe(0)
      expect(Buffer.compare(blockIn(deflateRawSync(bytes, { level: 9 })), bytes)).toBe(0)
    }
  })
})

describe('a file of routes', () => {
  test.each([
    ['plain', (text: string) => text],
    ['packed', (text: string) => gzipSync(text)],
    ['from another system', (text: string) => `\uFEFF${text.replaceAll('\n', '\r\n')}\r\n`],
  ])('%s is read in whatever order its rows and columns stand', async (_name, written) => {
    const text =
      'airports,extra,number,"airline",since\nLSZH-KJFK,,0014,SWR,2024-01-01\nEGKK-LIMC,x,8001,EZY,\n"LSZH-LPPT",,14,SWR,\nLSZH-KLAX,,14,SWR,2024-01-01'
    const blocks = [...(await readRoutesFile(fileOf(written(text))))]
    expect(blocks.map(({ airline }) => airline)).toEqual(['EZY', 'SWR'])
    expect(stopsOf(blocks, 'SWR', 14, '2023-12-31')).toBe('LSZH-LPPT')
    // Of two routes from the same day the later row counts.
    expect(stopsOf(blocks, 'SWR', 14, '2024-01-01')).toBe('LSZH-KLAX')
  })

  test('with rows that are wrong is refused, and they are named', async () => {
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
    const message = await readRoutesFile(path).catch((error: Error) => error.message)
    for (const line of [3, 4, 5, 6, 7, 8, 9]) expect(message).toContain(`line ${line}: `)
    expect(message).not.toContain('line 2: ')
  })

  test.each([
    ['without a column', 'airline,number,airports\nSWR,14,LSZH-KJFK', /no column since/],
    ['without a row', HEADER, /holds no route/],
    ['of one endless line', `${HEADER}\n${'x'.repeat(100_000)}`, /too long/],
    ['that is packed badly', gzipSync(csv('SWR,14,,LSZH-KJFK')).subarray(0, 30), /cannot be read/],
    ['with thousands of wrong rows', csv(...Array.from({ length: 5000 }, () => 'x')), /line 11: /],
  ])('%s is refused', async (_what, content, message) => {
    const path = fileOf(content)
    await expect(readRoutesFile(path)).rejects.toThrow(message)
  })

  test('that is not there is refused', async () => {
    await expect(readRoutesFile(join(temporaryFolder(), 'no.csv'))).rejects.toThrow(/cannot be read: ENOENT/)
  })
})
