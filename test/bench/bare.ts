/** The yardstick: a route of bare Fastify that returns given bytes. */
import Fastify from 'fastify'

const { port, path, status, body, serializes } = JSON.parse(process.env.BARE!) as {
  port: number
  path: string
  status: number
  body: string
  serializes: boolean
}

const app = Fastify()
app.get('/health', async () => ({ status: 'ok' }))
const record = serializes ? JSON.parse(body) : body
app.get(path, (_request, reply) => {
  reply.code(status).type('application/json; charset=utf-8').send(record)
})
await app.listen({ port, host: '127.0.0.1' })
process.on('SIGTERM', () => process.exit(0))
