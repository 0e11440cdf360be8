/**
 * A TCP proxy for PostgreSQL that delays every chunk, as a network of unlimited bandwidth does. It runs in its own process
 * and counts the round trips of its clients: `node delay-proxy.ts <port of the server> <delay of one direction in ms>`.
 */
import { createConnection, createServer, type Socket } from 'node:net'
import { preciseTimer } from './precise-timer.ts'

const [, , serverPort, delayMs] = process.argv
const delayNs = BigInt(Math.round(Number(delayMs) * 1e6))
const runAt = preciseTimer()
let roundTrips = 0

/** Counts the messages that PostgreSQL answers with ReadyForQuery: Query and Sync. */
function roundTripCounter(): (chunk: Buffer) => void {
  const LENGTH_BYTES = 4
  let pending = Buffer.alloc(0)
  let isStarted = false
  return (chunk) => {
    pending = Buffer.concat([pending, chunk])
    for (;;) {
      // The startup message has no type.
      const typeBytes = isStarted ? 1 : 0
      if (pending.length < typeBytes + LENGTH_BYTES) return
      const end = typeBytes + pending.readInt32BE(typeBytes)
      if (pending.length < end) return
      if (isStarted && 'QS'.includes(String.fromCharCode(pending[0]!))) roundTrips++
      isStarted = true
      pending = pending.subarray(end)
    }
  }
}

function forward(from: Socket, to: Socket, count: (chunk: Buffer) => void = () => undefined): void {
  const later = (work: () => void) => runAt(process.hrtime.bigint() + delayNs, work)
  from.setNoDelay(true)
  from.on('data', (chunk: Buffer) => {
    later(() => to.write(chunk))
    count(chunk)
  })
  from.on('end', () => later(() => to.end()))
  from.on('error', () => to.destroy())
}

const server = createServer({ allowHalfOpen: true }, (client) => {
  const upstream = createConnection({ host: '127.0.0.1', port: Number(serverPort), allowHalfOpen: true })
  forward(client, upstream, roundTripCounter())
  forward(upstream, client)
})
server.listen(0, '127.0.0.1', () => process.send!((server.address() as { port: number }).port))
process.on('message', () => process.send!(roundTrips))
process.on('disconnect', () => process.exit())
