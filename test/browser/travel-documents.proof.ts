import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectAccessible } from '../support/accessibility.ts'
import { barcodePhoto, barcodePicture, cameraVideo } from '../support/barcode.ts'
import { passText } from '../support/boarding-pass.ts'
import { launchWithCamera } from '../support/chromium.ts'
import { PASSWORD } from '../support/pages.ts'
import { describeInChromium, noteRefusals, visited } from '../support/visited.ts'

const TIMEOUT_MS = 120_000

const pass = passText({
  name: 'HOLM/MIRA',
  legs: [{ route: 'ZRHLHRLX', number: '0316', day: '123' }],
  issue: '5120',
})

const mail = `From: booking@agency.example
To: mira@example.org
Subject: Your booking
MIME-Version: 1.0
Content-Type: text/html; charset=utf-8

<script type="application/ld+json">${JSON.stringify({
  '@context': 'https://schema.org',
  '@type': 'FlightReservation',
  reservationNumber: 'KLM123',
  underName: { '@type': 'Person', name: 'Mira Holm' },
  reservationFor: {
    '@type': 'Flight',
    flightNumber: '1954',
    airline: { '@type': 'Airline', iataCode: 'KL', name: 'KLM' },
    departureAirport: { '@type': 'Airport', iataCode: 'AMS' },
    departureTime: '2025-05-06T09:50:00',
    arrivalAirport: { '@type': 'Airport', iataCode: 'ZRH' },
    arrivalTime: '2025-05-06T11:15:00',
  },
})}</script>
`

describeInChromium('travel documents in a browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'paxlog-camera-'))
  let site: Awaited<ReturnType<typeof visited>>
  let browser: Browser
  let base: string

  beforeAll(async () => {
    const video = join(folder, 'pass.y4m')
    writeFileSync(video, cameraVideo(await barcodePicture(pass, 'Aztec')))
    site = await visited({ launch: () => launchWithCamera(video) })
    ;({ browser, base } = site)
    await site.instance.services.reference.loadShipped()
    await site.instance.services.users.createOwner({ username: 'mira', displayName: 'Mira Holm', password: PASSWORD })
  }, TIMEOUT_MS)

  afterAll(async () => {
    await site?.close()
    rmSync(folder, { recursive: true })
  })

  async function openForm(options: BrowserContextOptions = {}) {
    const context = await browser.newContext({ permissions: ['camera'], locale: 'en-GB', ...options })
    const page = await context.newPage()
    page.setDefaultTimeout(30_000)
    const problems: string[] = []
    noteRefusals(page, problems)
    page.on('pageerror', (error) => problems.push(error.message))
    await page.goto(`${base}/login`)
    await page.getByLabel('Username').fill('mira')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.locator('details.account').waitFor()
    await page.goto(`${base}/flights/new`)
    return { page, problems, close: () => context.close() }
  }

  test('a boarding pass in front of the camera becomes a flight', { timeout: TIMEOUT_MS }, async () => {
    const { page, problems, close } = await openForm()
    await page.getByRole('button', { name: 'Scan with the camera' }).click()
    await page.getByRole('heading', { name: '1 flight found' }).waitFor()
    await expectAccessible(page)
    expect(await page.locator('.found-flight').innerText()).toMatch(/ZRH.*LHR.*LX316.*Seat 12A.*HOLM\/MIRA/s)
    await page.getByRole('button', { name: 'Save flight' }).click()
    await page.getByText('1 flight was added.').waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/flights\/\d+$/)
    expect(problems).toEqual([])
    await close()
  })

  test('the camera stops when its window is closed', { timeout: TIMEOUT_MS }, async () => {
    const { page, close } = await openForm()
    // The window closes before a code is found.
    await page.route(/scanner-.*\.wasm/, () => undefined)
    await page.getByRole('button', { name: 'Scan with the camera' }).click()
    const track = `document.querySelector('.scanner video').srcObject?.getVideoTracks()[0]`
    await expect.poll(() => page.evaluate(`${track}?.readyState`)).toBe('live')
    await page.evaluate(`globalThis.track = ${track}; undefined`)
    await page.keyboard.press('Escape')
    await page.locator('.scanner').waitFor({ state: 'detached' })
    expect(await page.evaluate('track.readyState')).toBe('ended')
    await close()
  })

  test('a photo is read in the browser, and a known flight is marked', { timeout: TIMEOUT_MS }, async () => {
    const { page, problems, close } = await openForm()
    const buffer = await barcodePhoto(pass, 'PDF417')
    await page.getByLabel('Photo or file').setInputFiles({ name: 'pass.png', mimeType: 'image/png', buffer })
    await page.getByText('Already in your log.').waitFor()
    expect(await page.getByRole('checkbox').isChecked()).toBe(false)
    await page.getByRole('button', { name: 'Save selected' }).click()
    await page.getByText('Select at least one flight.').waitFor()
    await page.goto(`${base}/flights/new`)
    const other = await barcodePhoto('https://example.org/', 'QRCode')
    await page.getByLabel('Photo or file').setInputFiles({ name: 'code.png', mimeType: 'image/png', buffer: other })
    await page.getByText('This code is not from a boarding pass.').waitFor()
    expect(problems).toEqual([])
    await close()
  })

  test('an e-mail is read without scripts, and a photo is not', { timeout: TIMEOUT_MS }, async () => {
    const { page, close } = await openForm({ javaScriptEnabled: false })
    const field = page.getByLabel('Photo or file')
    expect(await page.getByRole('button', { name: 'Scan with the camera' }).isVisible()).toBe(false)
    const photo = await barcodePhoto(pass, 'Aztec')
    await field.setInputFiles({ name: 'pass.png', mimeType: 'image/png', buffer: photo })
    await page.getByRole('button', { name: 'Read flights' }).click()
    await page.getByText('which needs JavaScript').first().waitFor()
    await field.setInputFiles({ name: 'booking.eml', mimeType: 'message/rfc822', buffer: Buffer.from(mail) })
    await page.getByRole('button', { name: 'Read flights' }).click()
    await page.getByRole('heading', { name: '1 flight found' }).waitFor()
    expect(await page.locator('.found-flight').innerText()).toMatch(/AMS.*ZRH.*09:50 – 11:15.*KL1954/s)
    await page.getByRole('button', { name: 'Save flight' }).click()
    await page.getByText('1 flight was added.').waitFor()
    await close()
  })

  test('an unknown airport is corrected in place while the other flight is saved', {
    timeout: TIMEOUT_MS,
  }, async () => {
    const { page, close } = await openForm({ viewport: { width: 360, height: 740 } })
    const unknown = passText({
      name: 'HOLM/MIRA',
      legs: [{ route: 'ZRHQQQLX', number: '1', day: '124' }],
      issue: '5120',
    })
    const known = passText({
      name: 'HOLM/MIRA',
      legs: [{ route: 'ZRHVIELX', number: '1574', day: '125' }],
      issue: '5120',
    })
    await page.getByText('Paste text').click()
    await page.getByLabel('Text of a boarding pass barcode').fill(`${unknown}\n${known}`)
    await page.getByRole('button', { name: 'Read flights' }).click()
    await page.getByRole('heading', { name: '2 flights found' }).waitFor()
    await page.getByText('Airport QQQ is not known.').waitFor()
    await page.getByRole('button', { name: 'Save all' }).click()
    await page.getByText('1 flight was added. Fix the others and save again.').waitFor()
    expect(await page.locator('.found-flight').count()).toBe(1)
    await expectAccessible(page)
    await page.getByLabel('To', { exact: true }).fill('LIS')
    await page.keyboard.press('Tab')
    await page.getByRole('button', { name: 'Save flight' }).click()
    await page.getByText('1 flight was added.', { exact: true }).waitFor()
    await close()
  })
})
