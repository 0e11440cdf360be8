/** The yardstick: a route of bare Fastify that returns given bytes. */
import { text } from 'node:stream/consumers'
import Fastify from 'fastify'

const { port, path, method, status, type, body, serializes } = JSON.parse(await text(process.stdin)) as {
  port: number
  path: string
  method: string
  status: number
  type: string
  body: string
  serializes: boolean
}

const app = Fastify()
app.get('/health', async () => ({ status: 'ok' }))
const record = serializes ? JSON.parse(body) : body
app.route({
  method,
  url: path,
  handler: (_request, reply) => {
    reply.code(status).type(type).send(record)
  },
})
await app.listen({ port, host: '127.0.0.1' })
process.on('SIGTERM', () => process.exit(0))
