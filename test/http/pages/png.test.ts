import { describe, expect, test } from 'vitest'
import { renderPng } from '../../../src/http/pages/maps/png.ts'

const svg = (content: string) => `<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40">${content}</svg>`
const renderText = (text: string) =>
  renderPng(svg(`<text x="5" y="30" font-family="Inter" font-size="24">${text}</text>`))

describe('renderPng', () => {
  test('returns a PNG in the size of the SVG', async () => {
    const png = await renderPng(svg(''))
    expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([60, 40])
  })

  test('draws accents, Greek and Cyrillic with the bundled font', async () => {
    const texts = ['', 'E', 'É', 'ł', 'ğ', 'Ω', 'Ж', '→', '\u{10fffd}']
    const pictures = await Promise.all(texts.map(renderText))
    expect(new Set(pictures.map((png) => png.toString('base64'))).size).toBe(texts.length)
  })

  test('rejects an invalid SVG without affecting other calls', async () => {
    const [broken, valid] = await Promise.allSettled([renderPng('<svg'), renderPng(svg(''))])
    expect([broken!.status, valid!.status]).toEqual(['rejected', 'fulfilled'])
  })
})
