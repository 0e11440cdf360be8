import { Agent } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { cluster, tell } from '../support/cluster.ts'

const FLIGHT = { date: '2025-05-03', fromId: 1, toId: 2 }
const READS = 50_000
const LANES = 10

describe('READERS=2, with readers under load', () => {
  test(`gives none of ${READS} reads right after a write elsewhere what was before`, async () => {
    const { api, port } = await cluster({ env: { LOG_LEVEL: 'info' } })
    let [reads, stale, isOver] = [0, 0, false]
    const keeping = () => {
      const agent = new Agent({ keepAlive: true })
      onTestFinished(() => agent.destroy())
      return agent
    }
    const load = Array.from({ length: 4 }, async () => {
      const agent = keeping()
      while (!isOver) await api('GET', '/flights', undefined, { agent })
    })
    const lane = async () => {
      const agents = Array.from({ length: LANES }, keeping)
      const { id } = JSON.parse((await api('POST', '/flights', FLIGHT)).body).data
      for (let round = 0; reads < READS; round++) {
        const note = `note ${round}`
        expect((await api('PUT', `/flights/${id}`, { ...FLIGHT, note }, { agent: agents[0]! })).status).toBe(200)
        const answers = await Promise.all(agents.map((agent) => api('GET', `/flights/${id}`, undefined, { agent })))
        reads += answers.length
        stale += answers.filter(({ body }) => JSON.parse(body).data.note !== note).length
      }
    }
    await Promise.all([lane(), lane(), lane()])
    isOver = true
    await Promise.all(load)
    expect(stale).toBe(0)
    expect((await tell(port, { path: '/ready' })).status).toBe(200)
  })
})
