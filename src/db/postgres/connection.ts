import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { isAwayCode } from './away.ts'
import { inClear, urlsOf } from './hosts.ts'

/** After so long without an answer somebody asks whether the server is there at all. */
const DOUBT_MS = 1_000
const PAUSE_MS = 500

/** A statement that only reads sees one state anyway; as a serializable one it would only take room from those that write. */
const SETTINGS = "set default_transaction_isolation = 'read committed'; set client_encoding = 'UTF8'"

/** The driver's words for a server that has none. */
const NO_ENCRYPTION = 'The server does not support SSL connections'

export interface Connected {
  client: pg.Client
  /** Counts the connections. */
  number: number
  /** The limit that its statements have at present. */
  patienceMs: number
  url: string
}

interface Settings {
  url: string
  connectMs: number
  /** How many there were before. */
  connections: number
  /** Told whenever the database goes away and when it is back. */
  onChange: (isAway: boolean) => void
}

/** Without a good-bye, which a server that does not answer would never hear. */
function cut(client: pg.Client): void {
  const { connection } = client as unknown as { connection: { stream: { destroy: () => void } } }
  connection.stream.destroy()
}

/** What the server itself has said has a state of SQL; everything else comes from the network or the driver. */
const meansAway = (error: unknown) => !(error instanceof pg.DatabaseError) || isAwayCode(error.code)

/** One connection, made again whenever it ends, to the host that takes writes. */
export function keptConnection({ url, connectMs, connections: before, onChange }: Settings) {
  let current: Connected | undefined
  let connecting: Promise<Connected> | undefined
  let connections = before
  let isAway = false
  let isOver = false

  function setAway(away: boolean): void {
    if (away === isAway) return
    isAway = away
    onChange(away)
  }

  const clientOf = (connectionString: string) =>
    new pg.Client({ connectionString, connectionTimeoutMillis: connectMs, application_name: 'paxlog', keepAlive: true })

  async function attempt(one: string): Promise<Connected> {
    const client = clientOf(one)
    const made = { client, number: ++connections, patienceMs: Number.NaN, url: one }
    // A connection that breaks while nobody asks must not end the process.
    client.on('error', () => lose(made))
    client.on('end', () => lose(made))
    const late = setTimeout(() => cut(client), connectMs)
    try {
      await client.connect()
      await client.query(SETTINGS)
      const { rows } = await client.query({ text: 'select pg_is_in_recovery()', rowMode: 'array' })
      if (rows[0]?.[0]) throw new Error('It is a standby, which takes no writes')
      return made
    } catch (error) {
      cut(client)
      throw error
    } finally {
      clearTimeout(late)
    }
  }

  async function connectTo(one: string): Promise<Connected> {
    try {
      return await attempt(one)
    } catch (error) {
      const clear = inClear(one)
      if (clear === undefined || (error as Error).message !== NO_ENCRYPTION) throw error
      return attempt(clear)
    }
  }

  /** All hosts at once: the one that takes writes must not wait for one that is gone. */
  async function connect(): Promise<Connected> {
    const attempts = urlsOf(url).map(connectTo)
    try {
      const first = await Promise.any(attempts)
      for (const attempt of attempts)
        attempt.then((made) => (made === first ? undefined : made.client.end())).catch(() => undefined)
      return first
    } catch (error) {
      throw (error as AggregateError).errors[0]
    }
  }

  function connected(): Promise<Connected> {
    if (current) return Promise.resolve(current)
    connecting ??= connect()
      .then((made) => {
        current = made
        setAway(false)
        return made
      })
      .finally(() => {
        connecting = undefined
      })
    return connecting
  }

  /** Goes on until the database is back; nobody waits for it. */
  async function comeBack(): Promise<void> {
    while (isAway && !isOver) {
      await connected().catch(() => undefined)
      if (isAway) await wait(PAUSE_MS, undefined, { ref: false })
    }
  }

  function goAway(): void {
    if (isAway || isOver) return
    setAway(true)
    void comeBack()
  }

  /** It may have been this connection alone, so the next question is still asked. */
  function lose(made: Connected): void {
    if (current !== made) return
    current = undefined
    cut(made.client)
    if (!isOver) connected().catch(goAway)
  }

  /** Whether a server that owes an answer is there: it takes another connection, or refuses one in its own words. */
  async function isThere(one: string): Promise<boolean> {
    const probe = clientOf(one)
    probe.on('error', () => undefined)
    const late = setTimeout(() => cut(probe), connectMs)
    try {
      await probe.connect()
      return true
    } catch (error) {
      return error instanceof pg.DatabaseError && (error.code === '53300' || !isAwayCode(error.code))
    } finally {
      clearTimeout(late)
      cut(probe)
    }
  }

  /** Rejects when the connection cannot be expected to answer any more. */
  function doubt(made: Connected) {
    let isAnswered = false
    let timer: NodeJS.Timeout | undefined
    const lost = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(async () => {
        if ((await isThere(made.url)) || isAnswered) return
        if (current === made) current = undefined
        cut(made.client)
        goAway()
        reject(new Error('PostgreSQL does not answer'))
      }, DOUBT_MS)
    })
    const stop = () => {
      isAnswered = true
      clearTimeout(timer)
    }
    return { lost, stop }
  }

  return {
    /** The number of the present connection, if there is one. */
    number: (): number | undefined => current?.number,
    count: (): number => connections,
    /** Works with the connection for as long as it can be expected to answer. */
    async use<Made>(work: (connection: Connected) => Promise<Made>): Promise<Made> {
      const made = await connected().catch((error: Error) => {
        goAway()
        // Whatever was said, also of a password that is no longer right: it was not said of the statement.
        throw new Error(error.message)
      })
      const { lost, stop } = doubt(made)
      try {
        return await Promise.race([work(made), lost])
      } catch (error) {
        if (meansAway(error)) lose(made)
        throw error
      } finally {
        stop()
      }
    },
    async close(): Promise<void> {
      isOver = true
      await current?.client.end().catch(() => undefined)
    },
  }
}
