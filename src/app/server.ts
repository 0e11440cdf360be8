import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { databaseProbe } from '../db/maintenance/probe.ts'
import {
  closeDatabase,
  type Db,
  limitStatements,
  openDatabase,
  STARTUP_TIMEOUT_MS,
  setBusyTimeout,
} from '../db/open.ts'
import { rejectSharedSessions } from '../db/postgres/checks.ts'
import { setMaxWait } from '../db/write.ts'
import { IdentityError, type ProviderSettings } from '../domain/identities/contract.ts'
import { createDrain, lingerOnClose } from '../lib/connections.ts'
import { loopbackNames } from '../lib/loopback.ts'
import { explainListenErrors, freePort } from '../lib/port.ts'
import { documentThread } from '../workers/document/document-thread.ts'
import { importThread } from '../workers/import/import-thread.ts'
import { longWriteThread } from '../workers/long-write/long-write-thread.ts'
import { trackFileThread } from '../workers/track-file/track-file-thread.ts'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { createServices, type Services } from './services.ts'
import { version } from './version.ts'

/** Leaves one of the ten seconds before a container is killed to close the database. */
const GRACE_MS = 9_000
/** For each of the last writes, if another program holds the write lock. */
const LAST_WRITE_WAIT_MS = 400
const PURGE_INTERVAL_MS = 10 * 60_000

export interface ServerOptions {
  /** Adds routes before the server listens. */
  extend?: (app: FastifyInstance) => void
}

export async function startServer(config: Config, logger: Logger, options: ServerOptions = {}) {
  const db = openDatabase(config.dataDir, config.databaseUrl)
  try {
    if (config.databaseUrl !== undefined) rejectSharedSessions(db, config.databaseUrl)
    return await listen(db, config, logger, options)
  } catch (error) {
    closeDatabase(db)
    throw error
  }
}

async function bind(app: FastifyInstance, { host }: Config, port: number, logger: Logger): Promise<string> {
  const { level } = logger
  // Fastify logs a line per interface; one line with everything follows.
  if (logger.isLevelEnabled('info')) logger.level = 'warn'
  await explainListenErrors(host, port, () => app.listen({ host, port })).finally(() => {
    logger.level = level
  })
  const { address, family, port: bound } = app.server.address() as AddressInfo
  return family === 'IPv6' ? `[${address}]:${bound}` : `${address}:${bound}`
}

/** Reports misconfiguration at startup instead of the first sign-in. Not awaited. */
function checkProvider({ identities }: Services, { name, issuer }: ProviderSettings, logger: Logger): void {
  identities.check().then(
    () => logger.info({ issuer }, `sign-in with ${name} is available`),
    (error: Error) => {
      if (error instanceof IdentityError) logger.warn({ issuer, reason: error.kind, ...error.detail }, error.message)
      else logger.warn(error, 'the check of the identity provider failed')
    },
  )
}

async function listen(db: Db, config: Config, logger: Logger, { extend }: ServerOptions) {
  setBusyTimeout(db, STARTUP_TIMEOUT_MS)
  const port = config.port || (await explainListenErrors(config.host, 0, () => freePort(config.host)))
  const baseUrl = config.baseUrl ?? `http://localhost:${port}`
  const services = createServices({
    ...config,
    db,
    baseUrl,
    privateSchemes: config.oauthRedirectSchemes,
    graceSeconds: config.oauthRefreshGraceSeconds,
    importInWorker: importThread(config),
    longWritesInWorker: longWriteThread(config),
    trackFilesInWorker: trackFileThread(),
    documentsInWorker: documentThread(),
  })
  let stopping = false
  const app = await buildApp({
    ...config,
    baseUrl,
    version,
    addresses: config,
    logger,
    services,
    probe: databaseProbe(db),
    isStopping: () => stopping,
  })
  extend?.(app)
  const { drain } = createDrain(app.server)
  lingerOnClose(app.server)
  await services.roles.installBuiltIn()
  const loaded = await services.reference.loadShipped()
  await services.reference.prepareSearch()
  setBusyTimeout(db)
  limitStatements(db)
  const address = await bind(app, config, port, logger)
  logger.info({ version, baseUrl, address }, `Paxlog ${version} serves ${baseUrl} and listens on ${address}`)
  if (loaded.length > 0) logger.info({ loaded }, 'loaded the shipped reference data')
  logStartupNotices(services, { ...config, baseUrl }, logger)
  logger.flush()
  const jobs = startBackgroundJobs(services, logger)

  /** Readiness ends first, then running requests finish, then the database is closed. */
  async function stop(): Promise<void> {
    stopping = true
    const closed = app.close()
    drain()
    await Promise.race([closed, wait(GRACE_MS, undefined, { ref: false })])
    app.server.closeAllConnections()
    setMaxWait(db, LAST_WRITE_WAIT_MS)
    try {
      await jobs.end()
      await services.credentials.close()
    } catch (error) {
      logger.warn(error)
    }
    closeDatabase(db)
    logger.info('Paxlog has stopped')
  }

  return { app, baseUrl, address, stop }
}

function logStartupNotices(services: Services, config: Config & { baseUrl: string }, logger: Logger): void {
  const { baseUrl, oidc } = config
  if (!services.users.owner()) {
    const code = services.setupCode.announce()
    logger.warn(
      `There is no owner yet. Open ${baseUrl} in a browser, or create one with: paxlog user create --owner --username NAME --password-stdin. From another machine or in a container, the page requires ${code ? `the setup code ${code}` : 'the value of SETUP_CODE'}.`,
    )
  }
  if (oidc) checkProvider(services, oidc, logger)
  const { protocol, hostname } = new URL(baseUrl)
  if (protocol === 'http:' && !loopbackNames.includes(hostname)) {
    logger.warn(`BASE_URL ${baseUrl} is plain http: passwords and keys are sent unencrypted.`)
  }
}

function startBackgroundJobs(services: Services, logger: Logger) {
  /** A disk that is full or read-only for a while must not end the server. */
  async function purgeExpired(): Promise<void> {
    try {
      await services.oauth.purge()
      await services.activity.purge()
      await services.idempotency.purge()
      await services.deletedFlights.purge()
      services.memory.purge()
    } catch (error) {
      logger.warn(error, 'failed to delete expired data')
    }
  }
  const purging = setInterval(() => void purgeExpired(), PURGE_INTERVAL_MS).unref()
  return {
    async end(): Promise<void> {
      clearInterval(purging)
      // Expired data must not become valid again if the clock is set back before the next start.
      await purgeExpired()
    },
  }
}
