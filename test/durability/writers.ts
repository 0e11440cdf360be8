import { Agent, request } from 'node:http'
import type { Random } from '../support/random.ts'
import { BASE_URL, CLIENT_ID, type Content, type Ledger, type Ledgers } from './ledger.ts'

/** A writer deletes as often as it creates once its log is this long, so that looking at everything stays quick. */
const LONG_LOG = 150

const SEATS = [null, 'window', 'aisle', 'middle'] as const
const MEALS = [null, 'fish', 'vegan', 'Zürich "Rösti" 🧀'] as const
const NOTES = ['short', 'a note of some length. '.repeat(20), 'Ünïcödé 漢字 🛫', 'x'.repeat(3000)] as const

interface Answer {
  status: number
  /** Of this end of the connection. */
  port: number
  text: string
}

/** The connection ended before the whole answer was there. */
class Broken extends Error {}

/** One kept connection. */
export function connection(port: number, key?: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const send = (method: string, path: string, type = '', body = '', more = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const length = Buffer.byteLength(body)
      const about = length > 0 ? { 'content-type': type, 'content-length': length } : {}
      const sent = request(
        { host: '127.0.0.1', port, agent, method, path, headers: { ...authorization, ...about, ...more } },
        (response) => {
          const chunks: Buffer[] = []
          const { localPort = 0 } = response.socket
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', (cause) => reject(new Broken(cause.message)))
          response.on('end', () => {
            if (!response.complete) return reject(new Broken('half an answer'))
            resolve({ status: response.statusCode!, port: localPort, text: Buffer.concat(chunks).toString() })
          })
        },
      )
      sent.on('error', (cause) => reject(new Broken(cause.message)))
      sent.end(body)
    })
  return { send, close: () => agent.destroy() }
}

type Connection = ReturnType<typeof connection>

let addresses = 0
const nextAddress = () => `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses++ & 255}`

/** Each comes from another address: a writer stands for many clients, and every address has a limit of its own. */
export function refresh({ send }: Connection, token: string): Promise<Answer> {
  const form = new URLSearchParams({
    grant_type: 'refresh_token',
    client_id: CLIENT_ID,
    refresh_token: token,
    resource: `${BASE_URL}/api/v1`,
  })
  const from = { 'x-forwarded-for': nextAddress() }
  return send('POST', '/oauth/token', 'application/x-www-form-urlencoded', form.toString(), from)
}

function content(ledger: Ledger, random: Random, version: string): Content {
  const guests = ['Noor', 'Jón Þór', 'Grandma'].slice(0, random.pick([0, 0, 1, 3]))
  const points = random.chance(0.1) ? random.between(2, 300) : 0
  return {
    date: `20${random.between(10, 25)}-0${random.between(1, 9)}-1${random.between(0, 9)}`,
    note: `${version} ${random.pick(NOTES)}`,
    mood: random.chance(0.3) ? `mood of ${version}` : null,
    passengers: [ledger.userId, ...guests].map((who) => [who, random.pick(SEATS), random.pick(MEALS)]),
    track: points === 0 ? null : Array.from({ length: points }, (_, n) => [n / 10, random.between(-90, 90), 10_000]),
  }
}

const body = ({ fromId, toId }: Ledgers, userId: string, tag: string, wanted: Content) =>
  JSON.stringify({
    ...{ fromId, toId, flightNumber: tag, date: wanted.date, note: wanted.note },
    customFields: { mood: wanted.mood },
    passengers: wanted.passengers.map(([who, seat, meal]) => ({
      ...(who === userId ? { userId: who } : { guestName: who }),
      seat,
      customFields: { meal },
    })),
    track: wanted.track && { coordinates: wanted.track, sourceFormat: 'gpx' },
  })

const csv = (rows: readonly [tag: string, content: Content][]) =>
  [
    'date,origin,destination,ticket_class,flight_number,notes',
    ...rows.map(([tag, { date, note }]) => `${date},LSZH,LPPT,,${tag},${note}`),
  ].join('\n')

/**
 * Writes for one ledger, one request after the other; every answer is noted the moment it has arrived. Where the database
 * may be away, a 503 is no answer.
 */
export function writer(made: Ledgers, ledger: Ledger, random: Random, port: number, { mayBeAway = false } = {}) {
  const [{ send, close: closeOwn }, anonymous] = [connection(port, ledger.key), connection(port)]
  const close = () => {
    closeOwn()
    anonymous.close()
  }
  const { flights } = ledger

  async function acknowledged(status: number, sent: Promise<Answer>): Promise<string> {
    const answer = await sent
    // Nobody knows whether it was saved: the database went away on the way.
    if (mayBeAway && answer.status === 503) throw new Broken(answer.text)
    if (answer.status !== status)
      throw new Error(`${ledger.name} got ${answer.status} instead of ${status}: ${answer.text}`)
    ledger.acknowledged++
    ledger.answeredOn = answer.port
    ledger.unanswered = undefined
    return answer.text
  }

  /** Never used before, also not by a request that got lost. */
  let counter = 0
  const newTag = () => `${ledger.name}x${port}x${process.hrtime.bigint()}x${counter++}`

  async function create(): Promise<void> {
    const tag = newTag()
    const wanted = content(ledger, random, `created ${tag}`)
    ledger.unanswered = { kind: 'create', rows: [[tag, wanted]] }
    const sent = send('POST', '/api/v1/flights', 'application/json', body(made, ledger.userId, tag, wanted))
    const { data } = JSON.parse(await acknowledged(201, sent))
    flights.set(tag, { id: data.id, content: wanted })
  }

  async function update(tag: string, id: number): Promise<void> {
    const wanted = content(ledger, random, `updated ${newTag()}`)
    ledger.unanswered = { kind: 'update', rows: [[tag, wanted]] }
    const sent = send('PUT', `/api/v1/flights/${id}`, 'application/json', body(made, ledger.userId, tag, wanted))
    await acknowledged(200, sent)
    flights.set(tag, { id, content: wanted })
  }

  async function remove(tag: string, id: number): Promise<void> {
    ledger.unanswered = { kind: 'delete', tag }
    await acknowledged(204, send('DELETE', `/api/v1/flights/${id}`))
    flights.delete(tag)
  }

  async function importRows(): Promise<void> {
    const rows = Array.from({ length: random.between(2, 5) }, (): [string, Content] => {
      const tag = newTag()
      const { date } = content(ledger, random, tag)
      const passengers: Content['passengers'] = [[ledger.userId, null, null]]
      return [tag, { date, note: `imported ${tag}`, mood: null, passengers, track: null }]
    })
    ledger.unanswered = { kind: 'import', rows }
    const sent = send('POST', '/api/v1/flights/import', 'text/csv', csv(rows))
    const { data } = JSON.parse(await acknowledged(200, sent))
    if (data.created !== rows.length) throw new Error(`${ledger.name}: ${JSON.stringify(data)}`)
    for (const [tag, wanted] of rows) flights.set(tag, { id: undefined, content: wanted })
  }

  async function rotate(): Promise<void> {
    ledger.unanswered = { kind: 'refresh' }
    const answer = JSON.parse(await acknowledged(200, refresh(anonymous, ledger.family.token)))
    ledger.family.spent.push(ledger.family.token)
    ledger.family.token = answer.refresh_token
  }

  function write(): Promise<void> {
    const dice = random.next()
    if (dice < 0.12) return rotate()
    if (dice < 0.17) return importRows()
    const known = [...flights].filter(([, { id }]) => id !== undefined)
    if (known.length === 0) return create()
    const [tag, { id }] = random.pick(known)
    if (flights.size > LONG_LOG ? dice < 0.6 : dice < 0.3) return remove(tag, id!)
    return dice < 0.75 ? update(tag, id!) : create()
  }

  /** Writes until the connection breaks or it is told to stop; a wrong answer is an error. */
  async function work(isOver: () => boolean): Promise<void> {
    try {
      while (!isOver()) await write()
    } catch (error) {
      if (!(error instanceof Broken)) throw error
    } finally {
      close()
    }
  }
  return { work, write, close }
}
