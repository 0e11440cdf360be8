import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { buildApp } from './app.ts'
import type { Config } from './config.ts'
import { closeDatabase, type Db, openDatabase } from './db/open.ts'
import { databaseProbe } from './db/probe.ts'
import { IdentityFault, type ProviderSettings } from './domain/identities/contract.ts'
import { openShippedIndexes } from './domain/reference/search/shipped-index.ts'
import { importThread } from './import-thread.ts'
import { drainable } from './lib/drain.ts'
import { lingering } from './lib/linger.ts'
import { createWatchedLogger } from './lib/logger.ts'
import { freePort } from './lib/port.ts'
import { Refusal } from './lib/refusal.ts'
import { createServices, type Services } from './services.ts'
import { version } from './version.ts'

/** Leaves a second of the ten after which a container is killed for closing the database. */
const GRACE_MS = 9_000
const TIDY_EVERY_MS = 10 * 60_000

export interface RunningServer {
  app: FastifyInstance
  baseUrl: string
  stop: () => Promise<void>
}

const isLoopback = (hostname: string) => ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

/** Opens the database, fills it where needed, and listens. */
export async function startServer(config: Config, logger?: Logger): Promise<RunningServer> {
  const db = openDatabase(config.dataDir)
  try {
    return await listen(db, config, logger ?? (await createWatchedLogger(config.logLevel)))
  } catch (error) {
    closeDatabase(db)
    throw error
  }
}

const LISTEN_FAULTS: Record<string, string> = {
  EADDRINUSE: 'is taken by another program',
  EACCES: 'may not be used by this user',
  EADDRNOTAVAIL: 'cannot be used, since this machine does not have that address',
  ENOTFOUND: 'cannot be used, since that host is not known',
}

async function refusing<Result>(host: string, port: number, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (cause) {
    const { code = '', message } = cause as NodeJS.ErrnoException
    const reason = LISTEN_FAULTS[code] ?? `cannot be used (${message})`
    throw new Refusal(`Port ${port} on ${host} ${reason}: choose another PORT or HOST.`, { cause })
  }
}

async function bind(app: FastifyInstance, host: string, port: number, logger: Logger): Promise<string> {
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
  const port = config.port || (await refusing(config.host, 0, () => freePort(config.host)))
  const baseUrl = config.baseUrl ?? `http://localhost:${port}`
  openShippedIndexes()
  const services = createServices({
    db,
    baseUrl,
    privateSchemes: config.oauthRedirectSchemes,
    graceSeconds: config.oauthRefreshGraceSeconds,
    importElsewhere: importThread(config.dataDir),
    oidc: config.oidc,
    passwordSignIn: config.passwordSignIn,
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
  const loaded = services.reference.loadShipped()
  await services.reference.prepareSearch()
  const address = await bind(app, config.host, port, logger)
  logger.info({ version, baseUrl, address }, `Paxlog ${version} serves ${baseUrl} and listens on ${address}`)
  if (loaded.length > 0) logger.info({ loaded }, 'the shipped reference data was loaded')
  if (!services.users.owner()) {
    logger.info(
      `There is no owner yet. Open ${baseUrl} in a browser, or create one with: npx paxlog user create --owner --username NAME --password-stdin. From another machine the page asks for the setup code ${services.setupCode.text}.`,
    )
  }
  if (config.oidc) tryProvider(services, config.oidc, logger)
  const { protocol, hostname } = new URL(baseUrl)
  if (protocol === 'http:' && !isLoopback(hostname)) {
    logger.warn(`BASE_URL ${baseUrl} is plain http on a public host: passwords and keys travel unprotected.`)
  }

  /** What has run out is taken away; a disk that is full or read-only for a while is no reason to stop. */
  function tidy(): void {
    try {
      services.oauth.purge()
      services.activity.purge()
      services.idempotency.purge()
    } catch (error) {
      logger.warn(error, 'what has expired could not be removed')
    }
  }
  services.tracks
    .addMissingLines(() => !stopping)
    .catch((error) => logger.warn(error, 'tracks of an earlier release are drawn slowly'))
  const tidying = setInterval(tidy, TIDY_EVERY_MS).unref()

  /** Readiness flips first; running requests get their time; then the file is closed whole. */
  async function stop(): Promise<void> {
    stopping = true
    clearInterval(tidying)
    const closed = app.close()
    drain()
    await Promise.race([closed, wait(GRACE_MS, undefined, { ref: false })])
    app.server.closeAllConnections()
    // What has run out now must not be found alive by a start under a clock that was set back.
    tidy()
    try {
      services.credentials.close()
    } catch (error) {
      // Times of last use are not worth a failed stop.
      logger.warn(error)
    }
    closeDatabase(db)
    logger.info('Paxlog has stopped')
  }
  return { app, baseUrl, stop }
}
