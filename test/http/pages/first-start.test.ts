import { pino } from 'pino'
import { expect, test } from 'vitest'
import { loadConfig } from '../../../src/app/config.ts'
import { startServer } from '../../../src/app/server.ts'
import { temporaryFolder } from '../../support/paxlog.ts'
import { loadedFolder } from '../../support/process.ts'

test('the log contains the setup code even with LOG_LEVEL=warn, and never with SETUP_CODE', async () => {
  for (const chosen of ['', 'blue heron 42']) {
    const lines: string[] = []
    const env = { PORT: '0', HOST: '127.0.0.1', DATA_DIR: loadedFolder(), SETUP_CODE: chosen }
    const { stop } = await startServer(loadConfig(env), pino({ level: 'warn' }, { write: (line) => lines.push(line) }))
    await stop()
    const log = lines.join('')
    if (chosen === '') expect(log).toMatch(/requires the setup code [A-Z2-9]{4}-[A-Z2-9]{4}\./)
    else expect(log).toMatch(/requires the value of SETUP_CODE\./)
    expect(log).not.toContain('blue heron')
  }
})

test('a server without an owner logs the address of the setup page and serves it', async () => {
  const lines: string[] = []
  const config = loadConfig({ PORT: '0', HOST: '127.0.0.1', DATA_DIR: temporaryFolder() })
  const logger = pino({ level: 'info' }, { write: (line) => lines.push(line) })
  const { baseUrl, stop } = await startServer(config, logger)
  const page = await fetch(baseUrl)
  await stop()
  expect(lines.join('')).toContain(`There is no owner yet. Open ${baseUrl} in a browser, or create one with: paxlog`)
  expect(lines.join('')).toMatch(/requires the setup code [A-Z2-9]{4}-[A-Z2-9]{4}\./)
  expect([page.status, new URL(page.url).pathname]).toEqual([200, '/setup'])
  expect(await page.text()).toContain('Welcome to Paxlog')
})
