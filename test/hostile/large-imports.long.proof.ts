import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type FormatName, formatNames } from '../../src/domain/transfer/formats/registry.ts'
import { longImports, MAX_ROWS } from '../support/long-imports.ts'
import { measured } from '../support/measured.ts'
import { limitedNode, MIN_MEMORY_MB } from '../support/memory-group.ts'
import { loadedFolder, ownerKey } from '../support/process.ts'
import { MAX_WORK_MS, watchedServer } from '../support/watched-server.ts'

/** JSON, the slowest CSV format, and a calendar. PAXLOG_SLOW_TESTS=1 covers every format. */
const SOME_FORMATS: readonly FormatName[] = ['backup', 'flighty', 'tripit']
const formats = process.env.PAXLOG_SLOW_TESTS === '1' ? formatNames : SOME_FORMATS

test.each(formats)(
  '50,000 rows of %s fit into the smallest container during other writes',
  async (format: FormatName) => {
    const dataDir = loadedFolder()
    const headers = { authorization: `Bearer ${ownerKey(dataDir)}` }
    const { url, watched } = await watchedServer(dataDir, {}, { program: limitedNode() })
    const content = longImports[format]()
    let isRunning = true
    let longestWrite = 0
    const statuses = new Set<number>()
    const writer = (async () => {
      while (isRunning) {
        const began = performance.now()
        const answer = await fetch(`${url}/api/v1/preferences`, {
          method: 'PUT',
          headers,
          body: '{"distanceUnit":"km"}',
        })
        statuses.add(answer.status)
        await answer.arrayBuffer()
        longestWrite = Math.max(longestWrite, performance.now() - began)
        await wait(20)
      }
    })()
    await watched()
    const began = performance.now()
    const answer = await fetch(`${url}/api/v1/flights/import`, { method: 'POST', headers, body: content })
    const body = (await answer.json()) as { data: { rejected: unknown[] } }
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    isRunning = false
    await writer
    const { mostBytes, longestWorkMs } = await watched()
    measured(
      `import of ${MAX_ROWS} rows of ${format} (${(content.length / 1e6).toFixed(1)} MB) in ${MIN_MEMORY_MB} MB: ${seconds} s, ` +
        `longest other write ${Math.round(longestWrite)} ms, longest task ${Math.round(longestWorkMs)} ms, ${Math.round(mostBytes / 2 ** 20)} MB resident`,
    )
    expect([answer.status, body.data]).toMatchObject([
      200,
      { rows: MAX_ROWS, created: MAX_ROWS, duplicates: 0, rejected: [] },
    ])
    // On a busy machine a write may time out before the import commits.
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
    expect(longestWorkMs).toBeLessThan(MAX_WORK_MS)
  },
)
