import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { closeDatabase, type Db, openDatabase } from './db/open.ts'
import { databaseProbe } from './db/probe.ts'
import { createLogger } from './lib/logger.ts'
import { freePort } from './lib/port.ts'
import { Refusal } from './lib/refusal.ts'
import { createServices } from './services.ts'
import { version } from './version.ts'

const GRACE_MS = 10_000

export interface RunningServer {
  app: FastifyInstance
  baseUrl: string
  stop: () => Promise<void>
}

const isLoopback = (hostname: string) => ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

/** Opens the database, fills it where needed, and listens. */
export async function startServer(
  config: Config,
  logger: Logger = createLogger(config.logLevel),
): Promise<RunningServer> {
  const db = openDatabase(config.dataDir)
  try {
    return await listen(db, config, logger)
  } catch (error) {
    closeDatabase(db)
    throw error
  }
}

async function bind(app: FastifyInstance, host: string, port: number, logger: Logger): Promise<AddressInfo> {
  const { level } = logger
  // The framework names every interface in a line of its own; ours is the first line and says it all.
  logger.level = 'warn'
  try {
    await app.listen({ host, port })
  } catch (cause) {
    const reason = { EADDRINUSE: 'is taken by another program', EACCES: 'may not be used by this user' }
    const { code = '', message } = cause as NodeJS.ErrnoException
    throw new Refusal(
      `Port ${port} on ${host} ${reason[code as keyof typeof reason] ?? `cannot be used (${message})`}: choose another PORT or HOST.`,
      { cause },
    )
  } finally {
    logger.level = level
  }
  return app.server.address() as AddressInfo
}

async function listen(db: Db, config: Config, logger: Logger): Promise<RunningServer> {
  const port = config.port === 0 ? await freePort(config.host) : config.port
  const baseUrl = config.baseUrl ?? `http://localhost:${port}`
  const services = createServices({ db, baseUrl })
  let stopping = false
  const app = await buildApp({
    baseUrl,
    bodyLimit: config.bodyLimit,
    legacyObjects: config.legacyObjects,
    version,
    logger,
    services,
    probe: databaseProbe(db),
    isStopping: () => stopping,
  })
  const loaded = services.reference.loadShipped()
  const { address, port: bound } = await bind(app, config.host, port, logger)
  logger.info(
    { version, baseUrl, address, port: bound },
    `Paxlog ${version} serves ${baseUrl} and listens on ${address}:${bound}`,
  )
  if (loaded.length > 0) logger.info({ loaded }, 'the shipped reference data was loaded')
  if (!services.users.owner()) {
    logger.info(
      'There is no owner yet. Create one with: npx paxlog user create --owner --username NAME --password-stdin',
    )
  }
  const { protocol, hostname } = new URL(baseUrl)
  if (protocol === 'http:' && !isLoopback(hostname)) {
    logger.warn(`BASE_URL ${baseUrl} is plain http on a public host: passwords and keys travel unprotected.`)
  }

  /** Readiness flips first; running requests get ten seconds; then the file is closed whole. */
  async function stop(): Promise<void> {
    stopping = true
    const deadline = setTimeout(() => app.server.closeAllConnections(), GRACE_MS)
    await app.close()
    clearTimeout(deadline)
    services.credentials.close()
    closeDatabase(db)
  }
  return { app, baseUrl, stop }
}
