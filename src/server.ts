import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { closeDatabase, type Db, disableBusyTimeout, openDatabase, START_PATIENCE_MS, setPatience } from './db/open.ts'
import { databaseProbe } from './db/probe.ts'
import { IdentityFault, type ProviderSettings } from './domain/identities/contract.ts'
import { openShippedIndexes } from './domain/reference/search/shipped-index.ts'
import { importThread } from './import-thread.ts'
import { drainable } from './lib/drain.ts'
import { lingering } from './lib/linger.ts'
import { loopbackNames } from './lib/loopback.ts'
import { freePort, refusing } from './lib/port.ts'
import { longWriteThread } from './long-write-thread.ts'
import { createServices, type Services } from './services.ts'
import { trackFileThread } from './track-file-thread.ts'
import { version } from './version.ts'

/** Leaves a second of the ten after which a container is killed for closing the database. */
const GRACE_MS = 9_000
const TIDY_EVERY_MS = 10 * 60_000

export interface RunningServer {
  app: FastifyInstance
  baseUrl: string
  /** Host and port. */
  address: string
  stop: () => Promise<void>
}

/** Opens the database, fills it where needed, and listens. */
export async function startServer(config: Config, logger: Logger): Promise<RunningServer> {
  const db = openDatabase(config.dataDir, config.databaseUrl)
  try {
    return await listen(db, config, logger)
  } catch (error) {
    closeDatabase(db)
    throw error
  }
}

async function bind(app: FastifyInstance, { host }: Config, port: number, logger: Logger): Promise<string> {
  const { level } = logger
  // The framework names every interface in a line of its own; ours is the first line and says it all.
  if (logger.isLevelEnabled('info')) logger.level = 'warn'
  await refusing(host, port, () => app.listen({ host, port })).finally(() => {
    logger.level = level
  })
  const { address, family, port: bound } = app.server.address() as AddressInfo
  return family === 'IPv6' ? `[${address}]:${bound}` : `${address}:${bound}`
}

/** A wrong setting is named in the log at once, not when the first person wants to sign in; nobody waits for it. */
function tryProvider({ identities }: Services, { name, issuer }: ProviderSettings, logger: Logger): void {
  identities.check().then(
    () => logger.info({ issuer }, `People can sign in with ${name}.`),
    (error: Error) => {
      if (error instanceof IdentityFault) logger.warn({ issuer, fault: error.kind, ...error.detail }, error.message)
      else logger.warn(error, 'the identity provider could not be tried')
    },
  )
}

async function listen(db: Db, config: Config, logger: Logger): Promise<RunningServer> {
  setPatience(db, START_PATIENCE_MS)
  const port = config.port || (await refusing(config.host, 0, () => freePort(config.host)))
  const baseUrl = config.baseUrl ?? `http://localhost:${port}`
  openShippedIndexes()
  const services = createServices({
    db,
    baseUrl,
    privateSchemes: config.oauthRedirectSchemes,
    graceSeconds: config.oauthRefreshGraceSeconds,
    importElsewhere: importThread(config),
    longWritesInWorker: longWriteThread(config),
    trackFilesInWorker: trackFileThread(),
    oidc: config.oidc,
    passwordSignIn: config.passwordSignIn,
    setupCode: config.setupCode,
  })
  let stopping = false
  const app = await buildApp({
    baseUrl,
    bodyLimit: config.bodyLimit,
    legacyObjects: config.legacyObjects,
    passwordSignIn: config.passwordSignIn,
    version,
    addresses: { addressHeader: config.addressHeader, xffDepth: config.xffDepth },
    logger,
    services,
    probe: databaseProbe(db),
    isStopping: () => stopping,
  })
  const { drain } = drainable(app.server)
  lingering(app.server)
  await services.roles.installBuiltIn()
  const loaded = await services.reference.loadShipped()
  await services.reference.prepareSearch()
  setPatience(db)
  disableBusyTimeout(db)
  const address = await bind(app, config, port, logger)
  logger.info({ version, baseUrl, address }, `Paxlog ${version} serves ${baseUrl} and listens on ${address}`)
  if (loaded.length > 0) logger.info({ loaded }, 'the shipped reference data was loaded')
  tellOperator(services, { ...config, baseUrl }, logger)
  logger.flush()
  const duties = takeUpDuties(services, logger, () => stopping)

  /** Readiness flips first; running requests get their time; then the file is closed whole. */
  async function stop(): Promise<void> {
    stopping = true
    const closed = app.close()
    drain()
    await Promise.race([closed, wait(GRACE_MS, undefined, { ref: false })])
    app.server.closeAllConnections()
    try {
      await duties.end()
      await services.credentials.close()
    } catch (error) {
      // Times of last use are not worth a failed stop.
      logger.warn(error)
    }
    closeDatabase(db)
    logger.info('Paxlog has stopped')
  }

  return { app, baseUrl, address, stop }
}

/** About the owner, the identity provider and the public address. */
function tellOperator(services: Services, config: Config & { baseUrl: string }, logger: Logger): void {
  const { baseUrl, oidc } = config
  if (!services.users.owner()) {
    const code = services.setupCode.announced()
    logger.warn(
      `There is no owner yet. Open ${baseUrl} in a browser, or create one with: npx paxlog user create --owner --username NAME --password-stdin. From another machine the page asks for ${code ? `the setup code ${code}` : 'the value of SETUP_CODE'}.`,
    )
  }
  if (oidc) tryProvider(services, oidc, logger)
  const { protocol, hostname } = new URL(baseUrl)
  if (protocol === 'http:' && !loopbackNames.includes(hostname)) {
    logger.warn(`BASE_URL ${baseUrl} is plain http on a public host: passwords and keys travel unprotected.`)
  }
}

/** What is done beside requests. */
function takeUpDuties(services: Services, logger: Logger, isStopping: () => boolean) {
  /** What has run out is taken away; a disk that is full or read-only for a while is no reason to stop. */
  async function tidy(): Promise<void> {
    try {
      await services.oauth.purge()
      await services.activity.purge()
      await services.idempotency.purge()
      services.memory.purge()
    } catch (error) {
      logger.warn(error, 'what has expired could not be removed')
    }
  }
  services.tracks
    .addMissingLines(() => !isStopping())
    .catch((error) => logger.warn(error, 'tracks of an earlier release are drawn slowly'))
  const tidying = setInterval(() => void tidy(), TIDY_EVERY_MS).unref()
  return {
    async end(): Promise<void> {
      clearInterval(tidying)
      // What has run out now must not be found alive by a start under a clock that was set back.
      await tidy()
    },
  }
}
