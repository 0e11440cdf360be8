import { rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { buildApp, type Cluster } from './app.ts'
import type { Config } from './config.ts'
import {
  closeDatabase,
  type Db,
  disableBusyTimeout,
  openDatabase,
  openReader,
  START_PATIENCE_MS,
  setPatience,
} from './db/open.ts'
import { databaseProbe } from './db/probe.ts'
import { IdentityFault, type ProviderSettings } from './domain/identities/contract.ts'
import { openShippedIndexes } from './domain/reference/search/shipped-index.ts'
import { writerProbe } from './http/shared/forward.ts'
import { importThread } from './import-thread.ts'
import { drainable } from './lib/drain.ts'
import { lingering } from './lib/linger.ts'
import { createWatchedLogger } from './lib/logger.ts'
import { loopbackNames } from './lib/loopback.ts'
import { freePort, refusing } from './lib/port.ts'
import { longWriteThread } from './long-write-thread.ts'
import { createServices, type Services, type Uses } from './services.ts'
import { trackFileThread } from './track-file-thread.ts'
import { version } from './version.ts'

/** Leaves a second of the ten after which a container is killed for closing the database. */
const GRACE_MS = 9_000
/** Readers leave time to the writer, which stops when they have; then nobody is connected to it any more. */
const READER_GRACE_MS = 7_500
const TIDY_EVERY_MS = 10 * 60_000

export interface RunningServer {
  app: FastifyInstance
  baseUrl: string
  /** Host and port, or the path of a socket. */
  address: string
  stop: () => Promise<void>
  /** For what a process that only reads has seen in use. */
  takeOver: (uses: Uses) => void
  /** Says what the operator should know at once; the line that names the address is the first (contract 11.3). */
  announce: () => void
}

/** One of several processes on one database. */
export interface Member {
  process: 'writer' | 'reader'
  /** Where the writer listens, for readers alone. */
  socketPath: string
  /** Where a reader leaves what it has seen in use. */
  handOver: (uses: Uses) => void
}

/** Opens the database, fills it where needed, and listens. */
export async function startServer(config: Config, logger?: Logger, member?: Member): Promise<RunningServer> {
  const db =
    member?.process === 'reader'
      ? openReader(config.dataDir, config.databaseUrl)
      : openDatabase(config.dataDir, config.databaseUrl)
  try {
    return await listen(db, config, logger ?? (await createWatchedLogger(config.logLevel)), member)
  } catch (error) {
    closeDatabase(db)
    throw error
  }
}

interface Place {
  host: string
  port: number
  socketPath?: string | undefined
}

async function bind(app: FastifyInstance, { host, port, socketPath }: Place, logger: Logger): Promise<string> {
  const { level } = logger
  // The framework names every interface in a line of its own; ours is the first line and says it all.
  if (logger.isLevelEnabled('info')) logger.level = 'warn'
  const listening = socketPath ? listenAlone(app, socketPath) : refusing(host, port, () => app.listen({ host, port }))
  await listening.finally(() => {
    logger.level = level
  })
  if (socketPath) return socketPath
  const { address, family, port: bound } = app.server.address() as AddressInfo
  return family === 'IPv6' ? `[${address}]:${bound}` : `${address}:${bound}`
}

/** On a socket of this machine that nobody else may use; what a killed process has left there is in the way. */
async function listenAlone(app: FastifyInstance, path: string): Promise<void> {
  rmSync(path, { force: true })
  process.umask(0o077)
  await app.listen({ path, exclusive: true })
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

function clusterOf(member: Member | undefined): Cluster | undefined {
  if (member?.process === 'reader') return { process: 'reader', socketPath: member.socketPath }
  return member && { process: 'writer' }
}

async function listen(db: Db, config: Config, logger: Logger, member?: Member): Promise<RunningServer> {
  const isReader = member?.process === 'reader'
  setPatience(db, START_PATIENCE_MS)
  const cluster = clusterOf(member)
  const port = config.port || (await refusing(config.host, 0, () => freePort(config.host)))
  const baseUrl = config.baseUrl ?? `http://localhost:${port}`
  openShippedIndexes()
  const services = createServices({
    db,
    baseUrl,
    privateSchemes: config.oauthRedirectSchemes,
    graceSeconds: config.oauthRefreshGraceSeconds,
    importElsewhere: importThread(config),
    longWritesElsewhere: longWriteThread(config),
    trackFilesInWorker: trackFileThread(),
    oidc: config.oidc,
    passwordSignIn: config.passwordSignIn,
    setupCode: config.setupCode,
    handOver: isReader ? member.handOver : undefined,
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
    ...(cluster && { cluster }),
    probe: isReader ? writerProbe(member.socketPath) : databaseProbe(db),
    isStopping: () => stopping,
  })
  const { drain } = drainable(app.server)
  lingering(app.server)
  const loaded = isReader ? [] : services.reference.loadShipped()
  await services.reference.prepareSearch()
  setPatience(db)
  disableBusyTimeout(db)
  const socketPath = member?.process === 'writer' ? member.socketPath : undefined
  const address = await bind(app, { host: config.host, port, socketPath }, logger)
  function announce(): void {
    if (loaded.length > 0) logger.info({ loaded }, 'the shipped reference data was loaded')
    tellOperator(services, { ...config, baseUrl }, logger)
  }
  if (!member) {
    logger.info({ version, baseUrl, address }, `Paxlog ${version} serves ${baseUrl} and listens on ${address}`)
    announce()
  }
  const duties = isReader ? undefined : takeUpDuties(services, logger, () => stopping)

  /** Readiness flips first; running requests get their time; then the file is closed whole. */
  async function stop(): Promise<void> {
    stopping = true
    const closed = app.close()
    drain()
    await Promise.race([closed, wait(isReader ? READER_GRACE_MS : GRACE_MS, undefined, { ref: false })])
    app.server.closeAllConnections()
    duties?.end()
    try {
      services.credentials.close()
    } catch (error) {
      // Times of last use are not worth a failed stop.
      logger.warn(error)
    }
    closeDatabase(db)
    if (!member) logger.info('Paxlog has stopped')
  }

  function takeOver(uses: Uses): void {
    services.credentials.takeOver(uses)
    services.sessions.takeOver(uses)
  }
  return { app, baseUrl, address, stop, takeOver, announce }
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

/** What is done beside requests, by the one process that writes. */
function takeUpDuties(services: Services, logger: Logger, isStopping: () => boolean) {
  /** What has run out is taken away; a disk that is full or read-only for a while is no reason to stop. */
  function tidy(): void {
    try {
      services.oauth.purge()
      services.activity.purge()
      services.idempotency.purge()
      services.memory.purge()
    } catch (error) {
      logger.warn(error, 'what has expired could not be removed')
    }
  }
  services.tracks
    .addMissingLines(() => !isStopping())
    .catch((error) => logger.warn(error, 'tracks of an earlier release are drawn slowly'))
  const tidying = setInterval(tidy, TIDY_EVERY_MS).unref()
  return {
    end(): void {
      clearInterval(tidying)
      // What has run out now must not be found alive by a start under a clock that was set back.
      tidy()
    },
  }
}
