import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { splitHosts, withoutTls } from './hosts.ts'
import { isUnavailableCode } from './protocol.ts'

/** Without an answer for this long, the server is probed. */
const PROBE_AFTER_MS = 1_000
const RETRY_MS = 500
/** A probe that takes longer is cancelled and repeated. */
const PROBE_MS = 5_000

/**
 * Single reads see one snapshot anyway; serializable ones would slow down writes. Without JIT, because compiling a plan takes
 * longer than running it.
 */
const SETTINGS = "set default_transaction_isolation = 'read committed'; set client_encoding = 'UTF8'; set jit = off"

const NO_TLS_MESSAGE = 'The server does not support SSL connections'

export interface Connected {
  client: pg.Client
  number: number
  /** The limits of statements that are set on the server. */
  limits: string
  url: string
}

interface Settings {
  url: string
  connectMs: number
  /** Number of connections of earlier workers. */
  connections: number
  onChange: (isDown: boolean) => void
}

/** Without a graceful close, which an unresponsive server would never confirm. */
function destroySocket(client: pg.Client): void {
  const { connection } = client as unknown as { connection: { stream: { destroy: () => void } } }
  connection.stream.destroy()
}

/** Errors without an SQLSTATE come from the network or the driver. */
const isConnectionError = (error: unknown) => !(error instanceof pg.DatabaseError) || isUnavailableCode(error.code)

/** One connection to the host that accepts writes, reopened whenever it ends. */
export function persistentConnection({ url, connectMs, connections: earlier, onChange }: Settings) {
  let current: Connected | undefined
  let connecting: Promise<Connected> | undefined
  let connections = earlier
  let isDown = false
  let isClosed = false

  function setDown(down: boolean): void {
    if (down === isDown) return
    isDown = down
    onChange(down)
  }

  const createClient = (connectionString: string) =>
    new pg.Client({ connectionString, connectionTimeoutMillis: connectMs, application_name: 'paxlog', keepAlive: true })

  async function attempt(hostUrl: string): Promise<Connected> {
    const client = createClient(hostUrl)
    const connection = { client, number: ++connections, limits: '', url: hostUrl }
    // An idle connection that breaks must not end the process.
    client.on('error', () => dropConnection(connection))
    client.on('end', () => dropConnection(connection))
    const timeout = setTimeout(() => destroySocket(client), connectMs)
    try {
      await client.connect()
      await client.query(SETTINGS)
      const { rows } = await client.query({ text: 'select pg_is_in_recovery()', rowMode: 'array' })
      if (rows[0]?.[0]) throw new Error('The server is a standby and accepts no writes')
      return connection
    } catch (error) {
      destroySocket(client)
      throw error
    } finally {
      clearTimeout(timeout)
    }
  }

  async function connectTo(hostUrl: string): Promise<Connected> {
    try {
      return await attempt(hostUrl)
    } catch (error) {
      const plainUrl = withoutTls(hostUrl)
      if (plainUrl === undefined || (error as Error).message !== NO_TLS_MESSAGE) throw error
      return attempt(plainUrl)
    }
  }

  /** All hosts in parallel, so that an unreachable one causes no delay. */
  async function connect(): Promise<Connected> {
    const attempts = splitHosts(url).map(connectTo)
    try {
      const first = await Promise.any(attempts)
      for (const other of attempts) {
        other.then(({ client }) => (client === first.client ? undefined : client.end())).catch(() => undefined)
      }
      return first
    } catch (error) {
      throw (error as AggregateError).errors[0]
    }
  }

  function connected(): Promise<Connected> {
    if (current) return Promise.resolve(current)
    connecting ??= connect()
      .then((connection) => {
        current = connection
        setDown(false)
        return connection
      })
      .finally(() => {
        connecting = undefined
      })
    return connecting
  }

  async function reconnect(): Promise<void> {
    while (isDown && !isClosed) {
      await connected().catch(() => undefined)
      if (isDown) await wait(RETRY_MS, undefined, { ref: false })
    }
  }

  function markDown(): void {
    if (isDown || isClosed) return
    setDown(true)
    void reconnect()
  }

  /** Only this connection may be affected, so reconnect before marking the database down. */
  function dropConnection(connection: Connected): void {
    if (current !== connection) return
    current = undefined
    destroySocket(connection.client)
    if (!isClosed) connected().catch(markDown)
  }

  /** A new connection, or an SQL error, proves that the server is alive. */
  async function isServerAlive(hostUrl: string): Promise<boolean> {
    const probe = createClient(hostUrl)
    probe.on('error', () => undefined)
    const timeout = setTimeout(() => destroySocket(probe), connectMs)
    try {
      await probe.connect()
      return true
    } catch (error) {
      return error instanceof pg.DatabaseError && (error.code === '53300' || !isUnavailableCode(error.code))
    } finally {
      clearTimeout(timeout)
      destroySocket(probe)
    }
  }

  /** The process of the server that runs a probe without an end. It would wait for a standby forever. */
  let hangingProbe: number | undefined

  /** Runs a statement on a connection of its own, because it may hang. */
  async function isUsable(sql: string): Promise<boolean> {
    const client = await connect().then(
      (connection) => connection.client,
      () => undefined,
    )
    if (!client) return false
    const timeout = setTimeout(() => destroySocket(client), PROBE_MS)
    try {
      const { rows } = await client.query('select pg_backend_pid() as pid, pg_cancel_backend($1)', [hangingProbe])
      hangingProbe = rows[0].pid as number
      await client.query(sql)
      hangingProbe = undefined
      return true
    } catch (error) {
      if (!isConnectionError(error)) hangingProbe = undefined
      return false
    } finally {
      clearTimeout(timeout)
      destroySocket(client)
    }
  }

  function watchdog(connection: Connected) {
    let isAnswered = false
    let timer: NodeJS.Timeout | undefined
    const lost = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(async () => {
        if ((await isServerAlive(connection.url)) || isAnswered) return
        if (current === connection) current = undefined
        destroySocket(connection.client)
        markDown()
        reject(new Error('PostgreSQL does not answer'))
      }, PROBE_AFTER_MS)
    })
    const stop = () => {
      isAnswered = true
      clearTimeout(timer)
    }
    return { lost, stop }
  }

  return {
    markDown,
    isUsable,
    number: (): number | undefined => current?.number,
    count: (): number => connections,
    async use<Result>(work: (connection: Connected) => Promise<Result>): Promise<Result> {
      const connection = await connected().catch((error: Error) => {
        markDown()
        // The error is not about the statement, so its SQLSTATE is dropped.
        throw new Error(error.message)
      })
      const { lost, stop } = watchdog(connection)
      try {
        return await Promise.race([work(connection), lost])
      } catch (error) {
        if (isConnectionError(error)) dropConnection(connection)
        throw error
      } finally {
        stop()
      }
    },
    async close(): Promise<void> {
      isClosed = true
      await current?.client.end().catch(() => undefined)
    },
  }
}
