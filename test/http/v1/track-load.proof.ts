import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { longTrack } from '../../support/factory.ts'
import { flightLog } from '../../support/flight-log.ts'
import { listening } from '../../support/listening.ts'
import { temporaryFolder } from '../../support/paxlog.ts'

const RUNS = 3

describe('N4: a track of 100,000 points with every column, on a listening server', () => {
  test('is stored and read completely while other requests are served', async () => {
    const folder = temporaryFolder()
    const { db, mira, flight } = await flightLog()
    const { id } = await flight()
    db.$client.prepare('vacuum into ?').run(join(folder, 'paxlog.db'))
    const { url, longestTurn } = await listening(folder)
    const headers = { authorization: `Bearer ${mira.key}` }
    const track = longTrack(100_000)
    const body = JSON.stringify(track)
    const address = `${url}/api/v1/flights/${id}/track`
    const turns: { put: number; get: number }[] = []
    for (let run = 0; run < RUNS; run++) {
      const put = await longestTurn(async () => {
        const answer = await fetch(address, { method: 'PUT', headers, body })
        expect(answer.status).toBe(200)
        await answer.arrayBuffer()
      })
      const get = await longestTurn(async () => {
        const answer = await fetch(address, { headers })
        const { data } = (await answer.json()) as { data: Record<string, unknown> }
        expect(data).toMatchObject({ pointCount: 100_000 })
        for (const [name, value] of Object.entries(track)) expect(data[name]).toEqual(value)
      })
      turns.push({ put, get })
    }
    process.stdout.write(
      `a track of ${Math.round(body.length / 1024)} KiB: longest turns of the event loop in ms ${JSON.stringify(turns)}\n`,
    )
  })
})
