import { describe, expect, test } from 'vitest'
import { errorOf, gpx, kml, read } from '../../support/read-track.ts'

describe('a track file', () => {
  test.each([
    ['attributes', `<gpx ${'a="1" '.repeat(200_000)}>`],
    ['spaces', `<gpx ${' '.repeat(2_000_000)}`],
    ['ampersands', gpx(`<trkpt lat="1" lon="2"><ele>${'&'.repeat(2_000_000)}</ele></trkpt>`)],
    ['quotes', `lat,lon\n${'"'.repeat(3_000)}\n`.repeat(300)],
    ['commas', `${','.repeat(3_000)}\n`.repeat(300)],
    ['one tuple', kml(`<LineString><coordinates>${'1,'.repeat(500_000)}</coordinates></LineString>`)],
    ['comments', `<gpx>${'<!--'.repeat(500_000)}`],
  ])('of a million %s is rejected quickly', { timeout: 600_000 }, async (_what, file) => {
    expect(await errorOf(file)).toMatch(/\.$/)
  })

  const TOO_LONG = 'The file is too complex: a tag, comment or value is too long.'

  test.each([
    ['elements', gpx('<a/>'.repeat(2_000_001)), 'The file is too complex: it has more than 2000000 elements.'],
    ['lines', `lat,lon\n${'x\n'.repeat(1_000_000)}`, 'The file has more than 1000000 lines.'],
    ['characters in a name', gpx(`<${'a'.repeat(20_000_000)}/>`), TOO_LONG],
    ['characters in an attribute', gpx(`x<a b="${'\n'.repeat(20_000_000)}"/>`), TOO_LONG],
    ['characters in a comment', gpx(`x<!--${' -'.repeat(10_000_000)}-->`), TOO_LONG],
    ['characters in a CDATA section', gpx(`<ele><![CDATA[${']x'.repeat(10_000_000)}]]></ele>`), TOO_LONG],
    [
      'characters in a document type',
      `<!--<gpx>-->\n<!DOCTYPE gpx [${'<!ENTITY a "b">'.repeat(1_000_000)}]><gpx/>`,
      TOO_LONG,
    ],
    ['entities', gpx(`<ele>${'&amp;'.repeat(4_000_000)}</ele>`), TOO_LONG],
    ['carriage returns', gpx(`<ele>${'\r'.repeat(20_000_000)}</ele>`), TOO_LONG],
    [
      'characters in a point',
      kml(`<LineString><coordinates>${'x'.repeat(20_000_000)}</coordinates></LineString>`),
      'A point of the file has no position.',
    ],
  ])('with too many %s is rejected', async (_what, file, sentence) => {
    expect(await errorOf(file)).toBe(sentence)
  })

  test('is rejected before millions of values are created', async () => {
    const members = `{${Array.from({ length: 1_000_000 }, (_, index) => `"k${index}":{}`)}}`
    await expect(read(`{"timestamp":1,"trace":[],"x":${members}}`)).rejects.toMatchObject({ code: 'validation_failed' })
    const items = `{"timestamp":1.7e9,"trace":[${'[1,2,3],'.repeat(1_000_000)}[1,2,3]]}`
    await expect(read(items)).rejects.toThrow('The file is too complex: it contains too many values.')
  })
})
