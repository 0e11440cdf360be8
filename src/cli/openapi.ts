import { buildApp } from '../app/app.ts'
import { createServices } from '../app/services.ts'
import { version } from '../app/version.ts'
import { openInMemory } from '../db/open.ts'
import { openApiText } from '../http/v1/documents.ts'
import { createLogger } from '../lib/logger.ts'
import type { Command } from './command.ts'

export const openapi: Command = {
  name: 'openapi',
  usage: '',
  summary: 'Print the OpenAPI document of the v1 API',
  run: async ({ config }) => {
    const { baseUrl = 'http://localhost:3000', bodyLimit } = config()
    const services = createServices({ db: openInMemory(), baseUrl })
    const app = await buildApp({
      baseUrl,
      bodyLimit,
      version,
      addresses: { addressHeader: undefined, xffDepth: 1 },
      logger: createLogger('silent'),
      services,
      probe: () => undefined,
      isStopping: () => false,
    })
    await app.ready()
    process.stdout.write(await openApiText(app))
  },
}
