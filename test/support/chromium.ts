import { chromium } from 'playwright-core'

export const PROGRAM = '/usr/bin/chromium'

export const launchChromium = () =>
  chromium.launch({
    executablePath: PROGRAM,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
