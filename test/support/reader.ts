import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { buildApp } from '../../src/app.ts'
import { closeDatabase, openReader } from '../../src/db/open.ts'
import { writerProbe } from '../../src/http/shared/forward.ts'
import { createServices, type Uses } from '../../src/services.ts'

/** A reader in this process, over a database that is there; it passes on what it does not serve. */
export async function readerBeside(dataDir: string, socketPath: string) {
  const db = openReader(dataDir)
  const handedOver: Uses[] = []
  const lines: string[] = []
  const baseUrl = 'http://localhost:3000'
  const services = createServices({ db, baseUrl, handOver: (uses) => handedOver.push(uses) })
  const app = await buildApp({
    baseUrl,
    bodyLimit: 20 * 1024 * 1024,
    version: '0.0.0-test',
    logger: pino({ level: 'info' }, { write: (line) => lines.push(line) }),
    addresses: { addressHeader: undefined, xffDepth: 1 },
    services,
    cluster: { process: 'reader', socketPath },
    probe: writerProbe(socketPath),
    isStopping: () => false,
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(async () => {
    app.server.closeAllConnections()
    await app.close()
    services.credentials.close()
    closeDatabase(db)
  })
  return { app, db, services, handedOver, lines, port: (app.server.address() as AddressInfo).port }
}
