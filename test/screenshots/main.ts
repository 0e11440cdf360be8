/**
 * Pictures of the pages with the log of `paxlog demo`: those of the README by default, or every page in light, dark and
 * phone width with `npm run screenshots -- FOLDER`.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { freePort } from '../../src/lib/port.ts'
import { launchChromium } from '../support/chromium.ts'

const root = join(import.meta.dirname, '../..')
const PASSWORD = 'a demo for everybody'

interface Look {
  colorScheme: 'light' | 'dark'
  viewport: { width: number; height: number }
}

const desktop = { width: 1200, height: 900 }
const looks: Record<string, Look> = {
  light: { colorScheme: 'light', viewport: desktop },
  dark: { colorScheme: 'dark', viewport: desktop },
  phone: { colorScheme: 'light', viewport: { width: 390, height: 844 } },
}

/** Every page that somebody who is signed in as the owner can open. */
const pages: Record<string, string> = {
  home: '/',
  'new-flight': '/flights/new',
  'edit-flight': '/flights/10',
  import: '/flights/import',
  preferences: '/settings/preferences',
  security: '/settings/security',
  shares: '/settings/shares',
  share: '/share/ines-everywhere',
  users: '/admin/users',
  roles: '/admin/roles',
  role: '/admin/roles/role-user',
  'custom-fields': '/admin/custom-fields',
  docs: '/docs',
  operation: '/docs/createFlight',
  nothing: '/nothing',
}

/** What the README shows, in the part of the page that says most. */
const shown: { page: string; look: keyof typeof looks }[] = [
  { page: 'home', look: 'light' },
  { page: 'share', look: 'dark' },
  { page: 'new-flight', look: 'phone' },
  { page: 'operation', look: 'light' },
]

async function startDemo() {
  const dataDir = mkdtempSync(join(tmpdir(), 'paxlog-demo-'))
  const port = await freePort('127.0.0.1')
  const base = `http://localhost:${port}`
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, PORT: String(port), BASE_URL: base, LOG_LEVEL: 'warn' }
  execFileSync(process.execPath, ['dist/cli.js', 'demo', '--password-stdin'], {
    cwd: root,
    env,
    input: `${PASSWORD}\n`,
  })
  const server = spawn(process.execPath, ['dist/main.js'], { cwd: root, env, stdio: 'inherit' })
  const isReady = () => fetch(`${base}/ready`).then(({ ok }) => ok, () => false) // biome-ignore format: one thought
  while (!(await isReady())) await pause(50)
  const stop = async () => {
    server.kill('SIGTERM')
    await once(server, 'exit')
    rmSync(dataDir, { recursive: true })
  }
  return { base, stop }
}

async function signedIn(browser: Browser, base: string, look: Look): Promise<Page> {
  const page = await browser.newPage({ ...look, deviceScaleFactor: 1.5, locale: 'en-GB' })
  await page.goto(`${base}/login`)
  await page.getByLabel('User name').fill('ines')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { level: 1, name: 'Inês Sørlie' }).waitFor()
  return page
}

const [folder] = process.argv.slice(2)
const { base, stop } = await startDemo()
const browser = await launchChromium()
try {
  for (const [name, look] of Object.entries(looks)) {
    const wanted = folder ? Object.keys(pages) : shown.filter((each) => each.look === name).map(({ page }) => page)
    if (wanted.length === 0) continue
    const tab = await signedIn(browser, base, look)
    for (const each of wanted) {
      await tab.goto(base + pages[each])
      const place = folder ?? import.meta.dirname
      mkdirSync(place, { recursive: true })
      const path = join(place, folder ? `${each}-${name}.png` : `${each}.png`)
      await tab.screenshot({ path, fullPage: folder !== undefined })
      process.stdout.write(`${path}\n`)
    }
    await tab.close()
  }
} finally {
  await browser.close()
  await stop()
}
