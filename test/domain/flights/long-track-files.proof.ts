import { describe, expect, test } from 'vitest'
import { readTrackFile } from '../../../src/domain/flights/tracks/files/read.ts'
import { AppError } from '../../../src/lib/errors.ts'

const ZRH = { latitude: 47.458, longitude: 8.548 }
const LIS = { latitude: 38.781, longitude: -9.136 }
const ends = { from: ZRH, to: LIS }

const read = async (text: string, name = 'file') => readTrackFile(Buffer.from(text), name, ends)

async function errorOf(text: string | Buffer): Promise<string> {
  try {
    await readTrackFile(Buffer.from(text), 'file', ends)
  } catch (error) {
    if (error instanceof AppError && error.code === 'bad_request') return error.message
    throw error
  }
  throw new Error('It was read.')
}

const gpx = (inner: string) => `<?xml version="1.0"?>
<!-- <trkpt lat="1" lon="1"/> -->
<gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1" xmlns:gpxtpx="x"><metadata><time>2020-01-01T00:00:00Z</time></metadata>${inner}</gpx>`

const kml = (inner: string) =>
  `<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="x"><Document>${inner}</Document></kml>`

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
    await expect(read(items)).rejects.toThrow('The file is too complex: it holds too many values.')
  })
})
