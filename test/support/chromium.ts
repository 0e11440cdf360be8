import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'

export const PROGRAM = '/usr/bin/chromium'

/** Says why, where the tests that need a real browser are left out. */
export const chromiumMissing: string | false = existsSync(PROGRAM)
  ? false
  : `${PROGRAM} is not installed, so the pages are not tried in a real browser`

export const launchChromium = () =>
  chromium.launch({
    executablePath: PROGRAM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
