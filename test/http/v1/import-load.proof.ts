import { expect, test } from 'vitest'
import { paxlog } from '../../support/paxlog.ts'
import { iataCodes, importing, percentile, places, report } from '../../support/travel.ts'

const ROW_COUNT = 20_000

/** A byAir file with local times, so that every row needs two time zones. */
function file(): string {
  const lines = Array.from({ length: ROW_COUNT }, (_, index) => {
    const day = new Date(Date.UTC(1990, 0, 1) + index * 43_200_000).toISOString().slice(0, 10)
    const [from, to] = [iataCodes[index % 10], iataCodes[(index + 3) % 10]]
    return `${day},LX${index},${from},${to},08:${String(index % 60).padStart(2, '0')},10:15,A note,mine`
  })
  return `flight_date,flight_code,departure_airport_code,arrival_airport_code,departure_time,arrival_time,notes,ownership\n${lines.join('\n')}`
}

test('imports 20,000 rows twice without duplicates while other requests are served (measured)', async () => {
  const app = await paxlog()
  places(app.db)
  const mira = app.user()
  const content = file()
  for (const [name, created] of [
    ['import', ROW_COUNT],
    ['import of the same file', 0],
  ] as const) {
    let running = true
    const waits: number[] = []
    const polling = (async () => {
      while (running) {
        const start = performance.now()
        await app.as(mira).get('/me')
        waits.push(performance.now() - start)
        await new Promise((go) => setTimeout(go, 5))
      }
    })()
    const start = performance.now()
    const { body } = await importing(app)(mira, content)
    const seconds = ((performance.now() - start) / 1000).toFixed(1)
    running = false
    await polling
    expect(body.data).toEqual({
      rows: ROW_COUNT,
      created,
      duplicates: ROW_COUNT - created,
      rejected: [],
      dryRun: false,
    })
    const [p50, longest] = [percentile(waits, 0.5).toFixed(0), Math.max(...waits).toFixed(0)]
    report(`${name} of 20 000 rows: ${seconds} s; ${waits.length} other requests, p50 ${p50} ms, longest ${longest} ms`)
  }
})
