import { Agent, request } from 'node:http'
import type { Random } from '../support/random.ts'
import { BASE_URL, CLIENT_ID, type Content, type Ledger, type Ledgers } from './ledger.ts'

/** Above this number of flights a writer deletes more, so that comparisons stay fast. */
const MAX_FLIGHTS = 150

const SEATS = [null, 'window', 'aisle', 'middle'] as const
const MEALS = [null, 'fish', 'vegan', 'Zürich "Rösti" 🧀'] as const
const NOTES = ['short', 'a note of some length. '.repeat(20), 'Ünïcödé 漢字 🛫', 'x'.repeat(3000)] as const

interface Answer {
  status: number
  /** The local port of the connection. */
  port: number
  text: string
}

/** The connection closed before the complete response. */
class ConnectionLost extends Error {}

/** A client with one keep-alive connection. */
export function connection(port: number, key?: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` }
  const send = (method: string, path: string, type = '', body = '', more = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const length = Buffer.byteLength(body)
      const contentHeaders = length > 0 ? { 'content-type': type, 'content-length': length } : {}
      const sent = request(
        { host: '127.0.0.1', port, agent, method, path, headers: { ...authorization, ...contentHeaders, ...more } },
        (response) => {
          const chunks: Buffer[] = []
          const { localPort = 0 } = response.socket
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', (cause) => reject(new ConnectionLost(cause.message)))
          response.on('end', () => {
            if (!response.complete) return reject(new ConnectionLost('incomplete response'))
            resolve({ status: response.statusCode!, port: localPort, text: Buffer.concat(chunks).toString() })
          })
        },
      )
      sent.on('error', (cause) => reject(new ConnectionLost(cause.message)))
      sent.end(body)
    })
  return { send, close: () => agent.destroy() }
}

type Connection = ReturnType<typeof connection>

let addresses = 0
const nextAddress = () => `10.${(addresses >> 16) & 255}.${(addresses >> 8) & 255}.${addresses++ & 255}`

/** Uses a new address for each request, because the rate limit applies per address. */
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

function randomContent(ledger: Ledger, random: Random, version: string): Content {
  const guests = ['Noor', 'Jón Þór', 'Grandma'].slice(0, random.pick([0, 0, 1, 3]))
  const points = random.chance(0.1) ? random.between(2, 300) : 0
  return {
    date: `20${random.between(10, 25)}-0${random.between(1, 9)}-1${random.between(0, 9)}`,
    note: `${version} ${random.pick(NOTES)}`,
    mood: random.chance(0.3) ? `mood of ${version}` : null,
    passengers: [ledger.userId, ...guests].map((name) => [name, random.pick(SEATS), random.pick(MEALS)]),
    track: points === 0 ? null : Array.from({ length: points }, (_, n) => [n / 10, random.between(-90, 90), 10_000]),
    trip: null,
  }
}

const body = ({ fromId, toId }: Ledgers, userId: string, tag: string, content: Content) =>
  JSON.stringify({
    ...{ fromId, toId, flightNumber: tag, date: content.date, note: content.note },
    customFields: { mood: content.mood },
    passengers: content.passengers.map(([name, seat, meal]) => ({
      ...(name === userId ? { userId: name } : { guestName: name }),
      seat,
      customFields: { meal },
    })),
    track: content.track && { coordinates: content.track, sourceFormat: 'gpx' },
  })

const csv = (rows: readonly [tag: string, content: Content][]) =>
  [
    'date,origin,destination,ticket_class,flight_number,notes',
    ...rows.map(([tag, { date, note }]) => `${date},LSZH,LPPT,,${tag},${note}`),
  ].join('\n')

/**
 * Writes sequentially for one ledger and records every response. If the database may be unreachable, a 503 counts as no
 * response.
 */
export function writer(made: Ledgers, ledger: Ledger, random: Random, port: number, { mayBeUnreachable = false } = {}) {
  const [{ send, close: closeAuthorized }, anonymous] = [connection(port, ledger.key), connection(port)]
  const close = () => {
    closeAuthorized()
    anonymous.close()
  }
  const { flights, deleted, trips } = ledger

  async function expectStatus(status: number, sent: Promise<Answer>): Promise<string> {
    const answer = await sent
    // The write may be saved or not, because the database became unreachable.
    if (mayBeUnreachable && answer.status === 503) throw new ConnectionLost(answer.text)
    if (answer.status !== status)
      throw new Error(`${ledger.name} got ${answer.status} instead of ${status}: ${answer.text}`)
    ledger.acknowledged++
    ledger.answeredOn = answer.port
    ledger.unanswered = undefined
    return answer.text
  }

  /** Unique, even among requests without a response. */
  let counter = 0
  const newTag = () => `${ledger.name}x${port}x${process.hrtime.bigint()}x${counter++}`

  async function create(): Promise<void> {
    const tag = newTag()
    const content = randomContent(ledger, random, `created ${tag}`)
    ledger.unanswered = { kind: 'create', rows: [[tag, content]] }
    const sent = send('POST', '/api/v1/flights', 'application/json', body(made, ledger.userId, tag, content))
    const { data } = JSON.parse(await expectStatus(201, sent))
    flights.set(tag, { id: data.id, content })
  }

  async function update(tag: string, id: number): Promise<void> {
    const { trip } = flights.get(tag)!.content
    const content = { ...randomContent(ledger, random, `updated ${newTag()}`), trip }
    ledger.unanswered = { kind: 'update', rows: [[tag, content]] }
    const sent = send('PUT', `/api/v1/flights/${id}`, 'application/json', body(made, ledger.userId, tag, content))
    await expectStatus(200, sent)
    flights.set(tag, { id, content })
  }

  async function remove(tag: string, id: number): Promise<void> {
    ledger.unanswered = { kind: 'delete', tag }
    await expectStatus(204, send('DELETE', `/api/v1/flights/${id}`))
    deleted.set(tag, flights.get(tag)!)
    flights.delete(tag)
  }

  async function restore(tag: string, id: number): Promise<void> {
    ledger.unanswered = { kind: 'restore', tag }
    await expectStatus(200, send('POST', `/api/v1/flights/deleted/${id}/restore`))
    flights.set(tag, deleted.get(tag)!)
    deleted.delete(tag)
  }

  /** The flights that change if these are in the trip and no others. */
  const rowsOfTrip = (name: string, tags: ReadonlySet<string>): [tag: string, content: Content][] =>
    [...flights].flatMap(([tag, { content }]): [string, Content][] => {
      const trip = tags.has(tag) ? name : content.trip === name ? null : content.trip
      return trip === content.trip ? [] : [[tag, { ...content, trip }]]
    })

  const setRows = (rows: readonly [tag: string, content: Content][]) => {
    for (const [tag, content] of rows) flights.set(tag, { ...flights.get(tag)!, content })
  }

  /** Moves a few flights to a trip, which may be new. */
  async function saveTrip(known: readonly [tag: string, { id: number | undefined }][]): Promise<void> {
    const isNew = trips.size < 3 || random.chance(0.3)
    const [id, name] = isNew ? [undefined, `trip ${newTag()}`] : random.pick([...trips])
    const chosen = Array.from({ length: random.between(1, 5) }, () => random.pick(known))
    const rows = rowsOfTrip(name, new Set(chosen.map(([tag]) => tag)))
    const text = JSON.stringify({ name, flightIds: chosen.map(([, flight]) => flight.id) })
    ledger.unanswered = { kind: 'update', rows }
    const [method, path, status] = isNew ? (['POST', '', 201] as const) : (['PUT', `/${id}`, 200] as const)
    const sent = send(method, `/api/v1/trips${path}`, 'application/json', text)
    const { data } = JSON.parse(await expectStatus(status, sent))
    trips.set(data.id, name)
    setRows(rows)
  }

  async function removeTrip(tripId: number, name: string): Promise<void> {
    const rows = rowsOfTrip(name, new Set())
    ledger.unanswered = { kind: 'delete-trip', tripId, rows }
    await expectStatus(204, send('DELETE', `/api/v1/trips/${tripId}`))
    trips.delete(tripId)
    setRows(rows)
  }

  async function importRows(): Promise<void> {
    const rows = Array.from({ length: random.between(2, 5) }, (): [string, Content] => {
      const tag = newTag()
      const { date } = randomContent(ledger, random, tag)
      const passengers: Content['passengers'] = [[ledger.userId, null, null]]
      return [tag, { date, note: `imported ${tag}`, mood: null, passengers, track: null, trip: null }]
    })
    ledger.unanswered = { kind: 'import', rows }
    const sent = send('POST', '/api/v1/flights/import', 'text/csv', csv(rows))
    const { data } = JSON.parse(await expectStatus(200, sent))
    if (data.created !== rows.length) throw new Error(`${ledger.name}: ${JSON.stringify(data)}`)
    for (const [tag, content] of rows) flights.set(tag, { id: undefined, content })
  }

  async function rotate(): Promise<void> {
    ledger.unanswered = { kind: 'refresh' }
    const answer = JSON.parse(await expectStatus(200, refresh(anonymous, ledger.family.token)))
    ledger.family.spent.push(ledger.family.token)
    ledger.family.token = answer.refresh_token
  }

  function write(): Promise<void> {
    const dice = random.next()
    if (dice < 0.12) return rotate()
    if (dice < 0.17) return importRows()
    const known = [...flights].filter(([, { id }]) => id !== undefined)
    if (known.length === 0) return create()
    if (dice < 0.25) {
      const names = new Set([...deleted.values()].map(({ content }) => content.trip))
      // Trips of deleted flights stay, so that the trip of a restored flight is known.
      const unused = [...trips].filter(([, name]) => !names.has(name))
      return trips.size > 5 && unused.length > 0 ? removeTrip(...random.pick(unused)) : saveTrip(known)
    }
    const hasRoom = flights.size <= MAX_FLIGHTS
    const restorable = [...deleted].filter(([, { id }]) => id !== undefined)
    if (dice < 0.32 && hasRoom && restorable.length > 0) {
      const [tag, { id }] = random.pick(restorable)
      return restore(tag, id!)
    }
    const [tag, { id }] = random.pick(known)
    if (hasRoom ? dice < 0.42 : dice < 0.68) return remove(tag, id!)
    return dice < 0.78 ? update(tag, id!) : create()
  }

  /** Writes until the connection breaks or isOver returns true. An unexpected status is an error. */
  async function work(isOver: () => boolean): Promise<void> {
    try {
      while (!isOver()) await write()
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error
    } finally {
      close()
    }
  }
  return { work, write, close }
}
