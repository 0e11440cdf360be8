import { createSocket } from 'node:dgram'
import { getServers, setServers } from 'node:dns'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'
import { onTestFinished } from 'vitest'

type Answer = (name: string, count: number) => readonly string[] | undefined

const IPV4 = 1
const IPV6 = 28
const HEADER_BYTES = 12

function nameAt(message: Buffer): { name: string; end: number } {
  const labels: string[] = []
  let index = HEADER_BYTES
  while (message[index] !== 0) {
    const start = index + 1
    index = start + message[index]!
    labels.push(message.toString('latin1', start, index))
  }
  return { name: labels.join('.'), end: index + 1 }
}

function bytesOf(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number))
  const [before = '', after = ''] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (part: string) => part.split(':').filter(Boolean)
  const missing = 8 - groups(before).length - groups(after).length
  const all = [...groups(before), ...Array<string>(missing).fill('0'), ...groups(after)]
  return Buffer.from(all.map((group) => group.padStart(4, '0')).join(''), 'hex')
}

function reply(query: Buffer, type: number, end: number, addresses: readonly string[]): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x8180, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(addresses.length, 6)
  const records = addresses.map((address) => {
    const data = bytesOf(address)
    const record = Buffer.alloc(12)
    record.writeUInt16BE(0xc000 + HEADER_BYTES, 0)
    record.writeUInt16BE(type, 2)
    record.writeUInt16BE(1, 4)
    record.writeUInt16BE(data.length, 10)
    return Buffer.concat([record, data])
  })
  return Buffer.concat([header, query.subarray(HEADER_BYTES, end + 4), ...records])
}

/**
 * Uses an own name server until the end of the test. `answer` returns the addresses of a name, with the number of earlier
 * questions for it; undefined means no response.
 */
export async function nameServer(answer: Answer) {
  const questions: string[] = []
  const socket = createSocket('udp4', (query, from) => {
    const { name, end } = nameAt(query)
    const type = query.readUInt16BE(end)
    const question = `${type === IPV6 ? 'AAAA' : 'A'} ${name}`
    const addresses = answer(name, questions.filter((earlier) => earlier === question).length)
    questions.push(question)
    const fitting = addresses?.filter((address) => isIPv4(address) === (type === IPV4))
    if (fitting) socket.send(reply(query, type, end, fitting), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const previous = getServers()
  setServers([`127.0.0.1:${socket.address().port}`])
  onTestFinished(() => {
    setServers(previous)
    socket.close()
  })
  return { questions }
}
