/** The baseline: a route of bare Fastify that returns given bytes. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import Fastify from 'fastify'
import type { Sample } from './processes.ts'
import { smallRows } from './small-rows.ts'

const { port, path, method, status, type, body, mode } = JSON.parse(await text(process.stdin)) as Sample & {
  port: number
}

const app = Fastify()
app.get('/health', async () => ({ status: 'ok' }))
const record = mode === 'sends' ? body : JSON.parse(body)
const folder = mkdtempSync(join(tmpdir(), 'paxlog-bare-'))
const { add, close } = mode === 'commits' ? smallRows(folder) : { add: () => {}, close: () => {} }
app.route({
  method,
  url: path,
  handler: (_request, reply) => {
    add()
    reply.code(status).type(type).send(record)
  },
})
await app.listen({ port, host: '127.0.0.1' })
process.on('SIGTERM', () => {
  close()
  rmSync(folder, { recursive: true })
  process.exit(0)
})
